#include "tool/cli/command.h"

#include <array>

namespace agentic {

std::span<const CommandRow> commandTable() {
  static constexpr std::array kRows = {
      CommandRow{"optimize", "search for a faster variant and write the best one back", makeOptimizeCommand},
      CommandRow{"compare", "let agents optimize one kernel under the same budget, each alone, and tabulate them",
                 makeCompareCommand},
      CommandRow{"init", "put a copy of the CMake module into a project", makeInitCommand},
      CommandRow{"suite", "run the search over every kernel and tabulate what it found", makeSuiteCommand},
      CommandRow{"evaluate", "take one candidate through check, compile, audit, test and benchmark",
                 makeEvaluateCommand},
      CommandRow{"apply", "take one candidate through all gates and write it back", makeApplyCommand},
      CommandRow{"check", "report banned constructs in candidates or in the project's kernels", makeCheckCommand},
      CommandRow{"adequacy", "try which deliberate faults in a kernel the project's tests notice", makeAdequacyCommand},
      CommandRow{"red-team", "try hostile candidates on a kernel and show which layers catch them", makeRedTeamCommand},
      CommandRow{"agents", "list what can propose candidates: providers, their keys, whether they answer",
                 makeAgentsCommand},
      CommandRow{"status", "list the kernels of a build tree and their variants", makeStatusCommand},
      CommandRow{"verify", "prove that checked-in variants are fresh, correct and still faster", makeVerifyCommand},
      CommandRow{"relock", "after an edit of comments: prove the variants again and renew their lock",
                 makeRelockCommand},
      CommandRow{"drop", "remove checked-in variants of a kernel", makeDropCommand},
      CommandRow{"explain", "what happened to a candidate and why, or what a check bans", makeExplainCommand},
      CommandRow{"report", "what a run tried, what it cost and what came of it", makeReportCommand},
      CommandRow{"runs", "list the runs of a build tree, or prune them", makeRunsCommand},
      CommandRow{"prompt", "show what a model would be sent, to whom, and what it may cost", makePromptCommand},
      CommandRow{"show", "show one iteration of a run: prompt, reply and verdict", makeShowCommand},
      CommandRow{"insight", "show what compiler, object code and machine say of a kernel or a candidate",
                 makeInsightCommand},
      CommandRow{"calibrate", "measure how far timings on this machine can be believed", makeCalibrateCommand},
      CommandRow{"doctor", "look for what stands in the way: machine, programs, build tree", makeDoctorCommand},
      CommandRow{"check-baseline", "configure-time check of one kernel (called by CMake)", makeCheckBaselineCommand,
                 true},
      CommandRow{"check-candidate", "check one candidate apart (called by the tool itself)", makeCheckCandidateCommand,
                 true},
      CommandRow{"calibration-kernel", "a reference kernel as a benchmark (called by the tool itself)",
                 makeCalibrationKernelCommand, true},
      CommandRow{"calibration-load", "a load on the machine (called by the tool itself)", makeCalibrationLoadCommand,
                 true},
      CommandRow{"completion", "the script by which a shell completes (called by the build)", makeCompletionCommand,
                 true},
      CommandRow{"manual", "the manual page (called by the build)", makeManualCommand, true},
  };
  return kRows;
}

} // namespace agentic
