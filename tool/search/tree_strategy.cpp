// A tree of attempts: mostly the question goes on from the candidate with the best sum of two numbers (as in UCT): the
// mean speedup of it and what came of it, and a bonus that shrinks the more often it was gone on from. Now and then it
// is any candidate. So a dead end that began well does not keep the search.
#include "tool/search/ask_strategy.h"
#include "tool/search/ask_tree.h"

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

constexpr std::string_view kTreeName = "tree";
constexpr StrategyNumber kTreeNumbers[] = {{.name = "random", .usual = 30, .least = 0, .most = 100},
                                           {.name = "bonus", .usual = 20, .least = 0, .most = 1000}}; // both in percent

constexpr double kOwnWeight = 2; ///< a candidate counts as so many of its children

/// Returns who can be gone on from: one that is only as fast as its parent leads nowhere that its parent does not.
std::vector<std::size_t> choicesIn(const AskTree &tree) {
  std::vector<std::size_t> choices = {0};
  for (std::size_t i = 1; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].canBeParent() && (i == tree.best() || !isTie(tree.nodes[i], tree.nodes[tree.nodes[i].parent])))
      choices.push_back(i);
  return choices;
}

/// Returns the mean of the logarithms of speedups, of the candidate and of all answers that went on from it: one that
/// is slower than the baseline or wrong counts as none, as does a reply without a candidate.
double meanSpeed(const AskTree &tree, std::size_t index) {
  const auto speed = [](const TreeNode &node) { return std::log(std::max(1.0, node.ratio)); };
  double sum = kOwnWeight * speed(tree.nodes[index]);
  for (std::size_t i = 1; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].ask && tree.nodes[i].parent == index)
      sum += speed(tree.nodes[i]);
  return sum / (kOwnWeight + static_cast<double>(tree.nodes[index].asks));
}

std::size_t mostPromising(const AskTree &tree, const std::vector<std::size_t> &choices, double bonus) {
  double all = 1;
  for (const TreeNode &node : tree.nodes)
    all += static_cast<double>(node.asks);
  const double most = std::log(std::max(1.0, tree.nodes[tree.best()].ratio));
  std::size_t best = 0;
  double bestScore = 0;
  for (const std::size_t choice : choices) {
    const double speed = most > 0 ? meanSpeed(tree, choice) / most : 0;
    const double asks = static_cast<double>(tree.nodes[choice].asks);
    const double score = speed + bonus * std::sqrt(std::log(all) / (1 + asks));
    if (score > bestScore)
      best = choice, bestScore = score;
  }
  return best;
}

Ask nextOfTree(const AskContext &context) {
  const RunState &state = context.state;
  if (std::string idle = idleReason(state); !idle.empty())
    return {.stop = std::move(idle)};
  const AskTree tree = treeOf(state);
  const std::vector<std::size_t> choices = choicesIn(tree);
  const double draw = drawFor(state), random = context.numbers[0] / 100.0;
  const std::size_t chosen = draw < random ? choices[static_cast<std::size_t>(draw / random * double(choices.size()))]
                                           : mostPromising(tree, choices, context.numbers[1] / 100.0);
  Ask ask = askFrom(tree.nodes[chosen], kTreeName);
  ask.draw = draw;
  return ask;
}

} // namespace

extern const AskStrategyRow kTreeRow = {.name = kTreeName, .numbers = kTreeNumbers, .next = nextOfTree};

} // namespace agentic
