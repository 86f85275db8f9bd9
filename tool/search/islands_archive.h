// The archive of a population of `islands`: the fastest candidate of each cell, where a cell is what the object code
// does (insight/code_traits.h). Pure.
#pragma once

#include "tool/model/run_state.h"
#include "tool/search/ask_tree.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr std::string_view kIslandsName = "islands";

struct ArchiveCell {
  std::string traits;    ///< that tell it from the others, with commas between them; empty: there is one cell
  std::size_t elite = 0; ///< index of its fastest in the tree
};

class Archive {
public:
  /// `tree` is that of `state`; both must outlive it.
  Archive(const RunState &state, const AskTree &tree, int population)
      : state_(state), tree_(tree), population_(population) {}

  /// Returns the cells, at most 12, the one with the fastest first: as many traits count as leave so many.
  std::vector<ArchiveCell> cells() const;
  /// Returns their fastest, the fastest first: indices of the tree.
  std::vector<std::size_t> elites() const;

private:
  bool isMember(const TreeNode &node) const {
    return !node.ask || state_.asked[*node.ask].ask.strategy != kIslandsName ||
           state_.asked[*node.ask].ask.population == population_;
  }
  std::map<std::string, std::size_t> bestBy(std::size_t traits) const;
  const RunState &state_;
  const AskTree &tree_;
  int population_;
};

} // namespace agentic
