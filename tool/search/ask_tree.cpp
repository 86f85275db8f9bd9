#include "tool/search/ask_tree.h"

#include "tool/model/ranked_attempts.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kMostTold = 8;  ///< rows of a prompt
constexpr std::size_t kMostIdle = 60; ///< more than the usual limit of a run, so that only an unlimited one ends by it

/// Mixes the bits of a number (SplitMix64's finalizer).
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

/// The name of a node, by which asks and candidates know it: of the best setting of open constants, the original's.
const std::string &proposedId(const Attempt &attempt) {
  return attempt.evaluation.tuning.empty() ? attempt.candidate.id : attempt.candidate.parent;
}

} // namespace

std::size_t AskTree::best() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    if (nodes[i].ratio > nodes[best].ratio)
      best = i;
  return isTie(nodes[best], nodes[incumbent]) ? incumbent : best;
}

bool AskTree::isBefore(std::size_t a, std::size_t b) const {
  const double left = nodes[a].ratio, right = nodes[b].ratio;
  return left != right ? left > right : a < b;
}

std::vector<std::size_t> AskTree::fastestFirst(std::vector<std::size_t> indices) const {
  std::ranges::sort(indices, [&](std::size_t a, std::size_t b) { return isBefore(a, b); });
  return indices;
}

AskTree treeOf(const RunState &state) {
  AskTree tree;
  tree.nodes.push_back({.ratio = 1, .low = 1, .high = 1});
  const std::vector<RankedAttempt> ranked = rankedAttempts(state);
  std::map<std::string_view, std::size_t> asks; // by the ids of what came of them
  for (std::size_t i = 0; i < state.asked.size(); ++i)
    for (const std::string &id : state.asked[i].candidates)
      asks.emplace(id, i);
  std::map<std::string_view, std::size_t> nodes = {{"", 0}};
  for (std::size_t i = 0; i < state.attempts.size(); ++i) {
    const Attempt &attempt = state.attempts[i];
    TreeNode node{.id = attempt.candidate.id};
    if (attempt.evaluation.verdict != Verdict::Rejected && attempt.evaluation.sameCodeAs.empty()) {
      node.ratio = ranked[i].ratio;
      node.low = ranked[i].low;
      node.high = ranked[i].high;
      node.traits = attempt.evaluation.traits;
    }
    if (const auto ask = asks.find(proposedId(attempt)); ask != asks.end()) {
      node.ask = ask->second;
      if (const auto parent = nodes.find(state.asked[ask->second].ask.parent); parent != nodes.end())
        node.parent = parent->second;
      tree.nodes[node.parent].tried.push_back(node.id);
    }
    nodes.emplace(attempt.candidate.id, tree.nodes.size());
    tree.nodes.push_back(std::move(node));
  }
  tree.incumbent = state.incumbent ? *state.incumbent + 1 : 0;
  for (const Asked &asked : state.asked)
    if (const auto parent = nodes.find(asked.ask.parent); parent != nodes.end())
      ++tree.nodes[parent->second].asks;
  return tree;
}

bool isTie(const TreeNode &left, const TreeNode &right) {
  return left.low <= right.high && right.low <= left.high;
}

SearchBranch branchOf(std::string label, const RunState &state, const AskTree &tree,
                      const std::function<bool(const Ask &ask)> &isOfIt) {
  SearchBranch branch{.label = std::move(label)};
  for (const Asked &asked : state.asked)
    branch.questions += isOfIt(asked.ask) && asked.ask.fixes.empty() ? 1 : 0;
  for (const TreeNode &node : tree.nodes)
    if (node.ask && node.canBeParent() && isOfIt(state.asked[*node.ask].ask)) {
      ++branch.passed;
      branch.best = std::max(branch.best, node.ratio);
    }
  return branch;
}

Ask askFrom(const TreeNode &node, std::string_view strategy) {
  Ask ask{.strategy = std::string(strategy), .parent = node.id};
  const std::size_t told = std::min(node.tried.size(), kMostTold);
  ask.tried.assign(node.tried.end() - static_cast<std::ptrdiff_t>(told), node.tried.end());
  return ask;
}

std::size_t questionsIn(const RunState &state) {
  return static_cast<std::size_t>(
      std::ranges::count_if(state.asked, [](const Asked &asked) { return asked.ask.fixes.empty(); }));
}

double drawFor(const RunState &state) {
  const std::uint64_t bits = mixed(mixed(state.seed) + state.asked.size());
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

std::string idleReason(const RunState &state) {
  std::size_t last = 0; // asks up to the one that the newest best came of
  for (const Attempt &attempt : state.attempts)
    if (attempt.becameBest)
      for (std::size_t i = last; i < state.asked.size(); ++i)
        if (std::ranges::find(state.asked[i].candidates, proposedId(attempt)) != state.asked[i].candidates.end())
          last = i + 1;
  return state.asked.size() - last < kMostIdle ? ""
                                               : std::to_string(kMostIdle) + " questions in a row found nothing faster";
}

} // namespace agentic
