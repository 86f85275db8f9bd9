// The attempts of a run as a tree under the baseline: what strategies choose parents from. Pure.
#pragma once

#include "tool/model/ask.h"
#include "tool/model/run_state.h"
#include "tool/model/search_branch.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The baseline, or an attempt.
struct TreeNode {
  std::string id;   ///< empty: the baseline
  double ratio = 0; ///< speedup over the baseline; 0: nobody can go on from it (rejected, not measured, or a copy)
  double low = 0, high = 0;
  std::size_t parent = 0;          ///< index; the baseline is its own
  std::optional<std::size_t> ask;  ///< index into RunState::asked; nullopt: no strategy asked for it
  std::size_t asks = 0;            ///< questions that went on from it
  std::vector<std::string> tried;  ///< ids of its children, oldest first
  std::vector<std::string> traits; ///< what its object code does
  bool canBeParent() const { return ratio > 0; }
};

struct AskTree {
  std::vector<TreeNode> nodes; ///< the baseline, then the attempts in order
  std::size_t incumbent = 0;   ///< index of the best so far

  /// Returns the index of the fastest; the incumbent, unless one is faster as far as that was measured.
  std::size_t best() const;
  /// Returns whether a node is faster, or as fast and earlier.
  bool isBefore(std::size_t a, std::size_t b) const;
  /// Sorts indices; of equally fast nodes the earlier one comes first.
  std::vector<std::size_t> fastestFirst(std::vector<std::size_t> indices) const;
};

/// Near copies, by object code, are no parents.
AskTree treeOf(const RunState &state);

/// Returns whether the measurements leave open which of the two is faster.
bool isTie(const TreeNode &left, const TreeNode &right);

/// Counts what came of the questions that `isOfIt` chooses.
SearchBranch branchOf(std::string label, const RunState &state, const AskTree &tree,
                      const std::function<bool(const Ask &ask)> &isOfIt);

/// Returns an ask that goes on from this node, and tells of the latest of what was tried there.
Ask askFrom(const TreeNode &node, std::string_view strategy);

/// Returns how many questions were asked: mending an answer is no further one.
std::size_t questionsIn(const RunState &state);

/// Returns a random number from 0 to below 1: the same for the same seed and number of earlier asks.
double drawFor(const RunState &state);

/// Returns why nothing more should be asked: so many asks in a row found nothing faster. Empty: go on.
std::string idleReason(const RunState &state);

} // namespace agentic
