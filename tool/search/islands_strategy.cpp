// Several populations, each with an agent of its own if the run has several. A population begins with tries from the
// baseline, then goes on from its elites: the fastest of each cell of an archive, whose cells are what the object code
// does (insight/code_traits.h), so that different ways are kept beside the fastest one. Another elite is shown beside
// the parent. Now and then a population goes on from the best of the next one.
#include "tool/search/ask_strategy.h"
#include "tool/search/ask_tree.h"
#include "tool/search/islands_archive.h"

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

constexpr StrategyNumber kIslandsNumbers[] = {
    {.name = "populations", .usual = 3, .least = 1, .most = 16}, ///< of a run with one agent
    {.name = "tries", .usual = 6, .least = 1, .most = 100},      ///< from the baseline, of each
    {.name = "migration", .usual = 5, .least = 2, .most = 1000}, ///< each so many questions of a population
};

/// Returns the ids of what a population tried from this node: the others' are not told.
std::vector<std::string> triedBy(int population, const RunState &state, const AskTree &tree, const TreeNode &node) {
  std::vector<std::string> tried;
  for (const TreeNode &child : tree.nodes)
    if (child.ask && state.asked[*child.ask].ask.population == population &&
        std::ranges::find(node.tried, child.id) != node.tried.end())
      tried.push_back(child.id);
  return tried;
}

Ask askOf(int population, const RunState &state, const AskTree &tree, std::size_t index) {
  TreeNode node = tree.nodes[index];
  node.tried = triedBy(population, state, tree, node);
  Ask ask = askFrom(node, kIslandsName);
  ask.population = population;
  return ask;
}

Ask nextOfIslands(const AskContext &context) {
  const RunState &state = context.state;
  if (std::string idle = idleReason(state); !idle.empty())
    return {.stop = std::move(idle)};
  const int populations = context.members > 1 ? static_cast<int>(context.members) : context.numbers[0];
  const int own =
      context.members > 1 ? static_cast<int>(context.member) : static_cast<int>(questionsIn(state)) % populations;
  const auto asks = std::ranges::count_if(state.asked, [&](const Asked &asked) {
    return asked.ask.strategy == kIslandsName && asked.ask.population == own && asked.ask.fixes.empty();
  });
  const AskTree tree = treeOf(state);
  const std::vector<std::size_t> elites = Archive(state, tree, own).elites();
  if (asks < context.numbers[1] || elites.empty())
    return askOf(own, state, tree, 0);
  if (populations > 1 && (asks + 1) % context.numbers[2] == 0)
    if (const auto others = Archive(state, tree, (own + 1) % populations).elites(); !others.empty()) {
      Ask ask = askOf(own, state, tree, others.front());
      ask.beside = {tree.nodes[elites.front()].id};
      return ask;
    }
  const double draw = drawFor(state); // its square prefers fast ones
  const auto chosen = static_cast<std::size_t>(draw * draw * static_cast<double>(elites.size()));
  Ask ask = askOf(own, state, tree, elites[chosen]);
  ask.draw = draw;
  if (elites.size() > 1)
    ask.beside = {tree.nodes[elites[(chosen + 1) % elites.size()]].id};
  return ask;
}

std::vector<SearchBranch> branchesOfIslands(const RunState &state) {
  int populations = 0;
  for (const Asked &asked : state.asked)
    if (asked.ask.strategy == kIslandsName)
      populations = std::max(populations, asked.ask.population + 1);
  const AskTree tree = treeOf(state);
  std::vector<SearchBranch> branches;
  for (int population = 0; population < populations; ++population)
    branches.push_back(branchOf("island " + std::to_string(population + 1), state, tree, [&](const Ask &ask) {
      return ask.strategy == kIslandsName && ask.population == population;
    }));
  return branches;
}

} // namespace

extern const AskStrategyRow kIslandsRow = {.name = kIslandsName,
                                           .numbers = kIslandsNumbers,
                                           .next = nextOfIslands,
                                           .needsTraits = true,
                                           .branches = branchesOfIslands};

} // namespace agentic
