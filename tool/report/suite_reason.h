// Explains in one line why a kernel gained nothing, from the known facts. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace agentic {

struct NothingGained {
  std::string compiler;                   ///< "clang"
  int loops = 0, vectorizedLoops = 0;     ///< innermost loops of the baseline; the number that the compiler vectorizes
  std::optional<double> bandwidthPercent; ///< the baseline's
  std::string memoryLevel;
  int candidates = 0;
  int sameCode = 0;                    ///< candidates with the code of an earlier one, or of the baseline
  std::map<std::string, int> rejected; ///< candidates by the stage that refused them
  std::string stopped;                 ///< why the search ended: "the time budget is spent"
  std::string agentNote;               ///< refused moves with their reasons
};

/// The percentage from which a kernel counts as bound by memory: loops with several streams do not get closer.
inline constexpr double kMemoryBoundPercent = 70;

/// Returns "memory-bound at 83 % of the measured L2 bandwidth; already vectorized by clang (2 of 2 innermost loops);
/// …". Never empty.
std::string whyNothingGained(const NothingGained &facts);

} // namespace agentic
