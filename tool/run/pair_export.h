// Slow and fast sources of kernels from the journals of runs, for training models: one line of JSON a pair.
#pragma once

#include "tool/base/error.h"

#include <cstddef>
#include <string>

namespace agentic {

struct ExportedPairs {
  std::string lines;
  std::size_t count = 0;
};

/// Returns the pairs of a run: each candidate that passed every check and was measured, with what it was made from, if
/// one is faster than 1.04x the other, or slower than 1/1.15x. The source is that of the kernel's function and of
/// candidates alone. `licence`: of the kernel's source, as the user says; empty: not known.
Result<ExportedPairs> pairsOfRun(const std::string &runDirectory, const std::string &licence);

/// The value of "schema" in each line.
inline constexpr const char *kPairSchema = "agentic-kernel/pairs/1";

} // namespace agentic
