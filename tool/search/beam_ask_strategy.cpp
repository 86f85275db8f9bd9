// Rounds: from each of the best candidates (`width` of them, the baseline while there are fewer) so many plans are
// asked for, and for each plan so many files. Then the best of each plan are compared, and the best of all of those
// so far, the baseline and what an agent without a model found included, are the parents of the next round. One that is
// only as fast as its parent or a sibling, as far as can be measured, is a parent only where there are no others.
#include "tool/search/ask_strategy.h"
#include "tool/search/ask_tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace agentic {
namespace {

constexpr std::string_view kBeamName = "beam";
constexpr StrategyNumber kBeamNumbers[] = {{.name = "width", .usual = 3, .least = 1, .most = 32},
                                           {.name = "plans", .usual = 3, .least = 1, .most = 32},
                                           {.name = "files", .usual = 1, .least = 1, .most = 8}};

struct Beam {
  int width, plans, files;
};

class Round {
public:
  Round(const RunState &state, const AskTree &tree, const Beam &beam, int number)
      : state_(state), tree_(tree), beam_(beam), number_(number) {}

  /// Returns the round's first question that was not asked yet; one that only stops: an outcome is missing for the
  /// next. nullopt: it is over.
  std::optional<Ask> next() const;

private:
  std::vector<std::size_t> bestOfPlans() const;
  std::vector<std::size_t> parents() const;
  bool isEarlier(const TreeNode &node) const { return !node.ask || roundOf(*node.ask) < number_; }
  int roundOf(std::size_t ask) const {
    const Ask &asked = state_.asked[ask].ask;
    return asked.strategy == kBeamName ? asked.round : -1; // another strategy's, before the run was resumed
  }
  bool isRelative(std::size_t left, std::size_t right) const;
  const Asked *find(const std::string &parent, int plan, int file) const;
  /// Returns whether its answer or a verdict on it is missing.
  bool isMissing(const Asked &asked) const {
    return asked.isInFlight ||
           std::ranges::any_of(asked.candidates, [&](const std::string &id) { return state_.isWaiting(id); });
  }
  bool isOpen() const;

  const RunState &state_;
  const AskTree &tree_;
  const Beam &beam_;
  int number_;
};

/// Returns the fastest of each plan of the earlier rounds, the fastest first.
std::vector<std::size_t> Round::bestOfPlans() const {
  std::map<std::tuple<std::size_t, int, int>, std::size_t> ofPlans; // by parent, round, plan
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    const TreeNode &node = tree_.nodes[i];
    if (!node.canBeParent() || !isEarlier(node))
      continue;
    if (!node.ask) {
      all.push_back(i);
      continue;
    }
    const Ask &ask = state_.asked[*node.ask].ask;
    const auto [best, isFirst] = ofPlans.try_emplace({node.parent, ask.round, ask.plan}, i);
    if (!isFirst && node.ratio > tree_.nodes[best->second].ratio)
      best->second = i;
  }
  for (const auto &[plan, index] : ofPlans)
    all.push_back(index);
  return tree_.fastestFirst(std::move(all));
}

bool Round::isRelative(std::size_t left, std::size_t right) const {
  const TreeNode &a = tree_.nodes[left], &b = tree_.nodes[right];
  return a.parent == right || b.parent == left || (a.parent == b.parent && left != 0 && right != 0);
}

std::vector<std::size_t> Round::parents() const {
  std::vector<std::size_t> parents, asFast;
  const auto most = static_cast<std::size_t>(beam_.width);
  for (std::size_t index : bestOfPlans()) {
    const auto same = std::ranges::find_if(parents, [&](std::size_t other) {
      return isRelative(index, other) && isTie(tree_.nodes[index], tree_.nodes[other]);
    });
    if (same != parents.end() && index < *same)
      std::swap(index, *same); // the first of them keeps its place
    if (parents.size() < most)
      (same != parents.end() ? asFast : parents).push_back(index);
  }
  for (const std::size_t index : asFast)
    if (parents.size() < most)
      parents.push_back(index);
  return parents;
}

const Asked *Round::find(const std::string &parent, int plan, int file) const {
  for (const Asked &asked : state_.asked)
    if (asked.ask.strategy == kBeamName && asked.ask.round == number_ && asked.ask.parent == parent &&
        asked.ask.plan == plan && asked.ask.file == file)
      return &asked;
  return nullptr;
}

/// Returns whether answers or verdicts of this round are missing. Who is a parent hangs on all of them.
bool Round::isOpen() const {
  return std::ranges::any_of(state_.asked, [&](const Asked &asked) {
    return asked.ask.strategy == kBeamName && asked.ask.round == number_ && isMissing(asked);
  });
}

/// Takes the parents in turn, so that a round that the budget ends was fair to them.
std::optional<Ask> Round::next() const {
  const std::vector<std::size_t> parents = this->parents();
  // A round has as many questions however few parents there are.
  const int count = static_cast<int>(parents.size()), plans = (beam_.width * beam_.plans + count - 1) / count;
  for (int plan = 0; plan < plans; ++plan)
    for (const std::size_t parent : parents) {
      const TreeNode &node = tree_.nodes[parent];
      for (int file = 0; file < beam_.files; ++file) {
        if (find(node.id, plan, file))
          continue;
        const Asked *first = file > 0 ? find(node.id, plan, 0) : nullptr;
        if (first && isMissing(*first))
          break; // the others are told its idea
        Ask ask = askFrom(node, kBeamName);
        ask.round = number_, ask.plan = plan, ask.file = file, ask.plans = plans;
        if (first && !first->candidates.empty())
          ask.idea = first->candidates.front();
        return ask;
      }
    }
  return isOpen() ? std::optional(Ask{.stop = "the next round waits for the rest of this one"}) : std::nullopt;
}

int latestRound(const RunState &state) {
  int round = 0;
  for (const Asked &asked : state.asked)
    if (asked.ask.strategy == kBeamName)
      round = std::max(round, asked.ask.round);
  return round;
}

Ask nextOfBeam(const AskContext &context) {
  const RunState &state = context.state;
  if (std::string idle = idleReason(state); !idle.empty())
    return {.stop = std::move(idle)};
  int round = latestRound(state);
  const AskTree tree = treeOf(state);
  const Beam beam{.width = context.numbers[0], .plans = context.numbers[1], .files = context.numbers[2]};
  for (;; ++round) // the second one is always new
    if (auto ask = Round(state, tree, beam, round).next())
      return *ask;
}

/// The parents of the latest round.
std::vector<SearchBranch> branchesOfBeam(const RunState &state) {
  const int round = latestRound(state);
  const auto isLatest = [&](const Ask &ask) { return ask.strategy == kBeamName && ask.round == round; };
  std::vector<std::string> parents;
  for (const Asked &asked : state.asked)
    if (isLatest(asked.ask) && std::ranges::find(parents, asked.ask.parent) == parents.end())
      parents.push_back(asked.ask.parent);
  const AskTree tree = treeOf(state);
  std::vector<SearchBranch> branches;
  for (const std::string &parent : parents)
    branches.push_back(branchOf("round " + std::to_string(round + 1) + ", from " +
                                    (parent.empty() ? "the baseline" : parent.substr(0, 12)),
                                state, tree, [&](const Ask &ask) { return isLatest(ask) && ask.parent == parent; }));
  return branches;
}

} // namespace

extern const AskStrategyRow kBeamRow = {
    .name = kBeamName, .numbers = kBeamNumbers, .next = nextOfBeam, .branches = branchesOfBeam};

} // namespace agentic
