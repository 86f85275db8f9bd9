#include "tool/search/islands_archive.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kMostCells = 12;

} // namespace

/// Returns the fastest of each cell, cells told apart by so many traits.
std::map<std::string, std::size_t> Archive::bestBy(std::size_t traits) const {
  std::map<std::string, std::size_t> best;
  for (std::size_t i = 1; i < tree_.nodes.size(); ++i) {
    const TreeNode &node = tree_.nodes[i];
    if (!node.canBeParent() || !isMember(node))
      continue;
    std::string cell;
    for (std::size_t k = 0; k < std::min(traits, node.traits.size()); ++k)
      cell += (k > 0 ? ", " : "") + node.traits[k];
    const auto [found, isFirst] = best.try_emplace(cell, i);
    if (!isFirst && node.ratio > tree_.nodes[found->second].ratio)
      found->second = i;
  }
  return best;
}

std::vector<ArchiveCell> Archive::cells() const {
  std::size_t traits = 0;
  for (const TreeNode &node : tree_.nodes)
    traits = std::max(traits, node.traits.size());
  auto best = bestBy(traits);
  while (best.size() > kMostCells)
    best = bestBy(--traits);
  std::vector<ArchiveCell> cells;
  for (const auto &[cell, index] : best)
    cells.push_back({cell, index});
  std::ranges::sort(cells,
                    [&](const ArchiveCell &a, const ArchiveCell &b) { return tree_.isBefore(a.elite, b.elite); });
  return cells;
}

std::vector<std::size_t> Archive::elites() const {
  std::vector<std::size_t> elites;
  for (const ArchiveCell &cell : cells())
    elites.push_back(cell.elite);
  return elites;
}

} // namespace agentic
