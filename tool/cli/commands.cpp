#include "tool/cli/command.h"

#include <array>

namespace agentic {

std::span<const CommandRow> commandTable() {
  static constexpr std::array kRows = {
      CommandRow{"optimize", "search for a faster variant and write the best one back", makeOptimizeCommand},
      CommandRow{"suite", "run the search over every kernel and tabulate what it found", makeSuiteCommand},
      CommandRow{"evaluate", "take one candidate through check, compile, audit, test and benchmark",
                 makeEvaluateCommand},
      CommandRow{"apply", "take one candidate through all gates and write it back", makeApplyCommand},
      CommandRow{"check", "report banned constructs in candidates or in the project's kernels", makeCheckCommand},
      CommandRow{"status", "list the kernels of a build tree and their variants", makeStatusCommand},
      CommandRow{"runs", "list the runs of a build tree, or prune them", makeRunsCommand},
      CommandRow{"check-baseline", "configure-time check of one kernel (called by CMake)", makeCheckBaselineCommand,
                 true},
      CommandRow{"check-candidate", "check one candidate apart (called by the tool itself)", makeCheckCandidateCommand,
                 true},
  };
  return kRows;
}

} // namespace agentic
