// What one candidate changed against the one that it was made from, as measured: what a summarizer is asked about.
// Pure.
#pragma once

#include "tool/model/run_state.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace agentic {

inline constexpr double kNotableGain = 1.04, kNotableLoss = 1 / 1.15;

/// An attempt that passed every check, against its parent.
struct Change {
  std::size_t attempt = 0;
  std::optional<std::size_t> parent; ///< index into attempts; nullopt: the baseline
  double ratio = 1, low = 1, high = 1;
};

/// Returns the attempts that are at least kNotableGain times as fast as their parents, or at most kNotableLoss, in
/// order; not those with the object code of others. The parent of a candidate that nobody named one for is the best
/// before it.
std::vector<Change> notableChanges(const RunState &state);

} // namespace agentic
