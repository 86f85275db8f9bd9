// Why a kernel gained nothing, in one line made of what is known. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace agentic {

struct NothingGained {
  std::string compiler;                   ///< "clang"
  int loops = 0, vectorizedLoops = 0;     ///< innermost loops of the baseline; how many the compiler vectorizes
  std::optional<double> bandwidthPercent; ///< the baseline's
  std::string memoryLevel;
  int candidates = 0;
  int sameCode = 0;                    ///< of them: the compiler made the code of an earlier one, or of the baseline
  std::map<std::string, int> rejected; ///< of them: refused by this stage
  std::string stopped;                 ///< why the search ended: "the time budget is spent"
  std::string agentNote;               ///< refused moves with their reasons
};

/// From here on a kernel counts as bound by memory: loops with several streams do not get closer.
inline constexpr double kMemoryBoundPercent = 70;

/// "memory-bound at 83 % of the measured L2 bandwidth; already vectorized by clang (2 of 2 innermost loops); …". Never
/// empty.
std::string whyNothingGained(const NothingGained &facts);

} // namespace agentic
