#include "tool/cli/command.h"

// One line each, in the order of the help: k<Name>Command is in the subcommand's own file.
#define AGENTIC_COMMANDS(ROW)                                                                                          \
  ROW(Optimize)                                                                                                        \
  ROW(Compare)                                                                                                         \
  ROW(Init)                                                                                                            \
  ROW(Suite)                                                                                                           \
  ROW(Evaluate)                                                                                                        \
  ROW(Apply)                                                                                                           \
  ROW(Check)                                                                                                           \
  ROW(Wrap)                                                                                                            \
  ROW(Hot)                                                                                                             \
  ROW(Adequacy)                                                                                                        \
  ROW(RedTeam)                                                                                                         \
  ROW(Agents)                                                                                                          \
  ROW(Mcp)                                                                                                             \
  ROW(Status)                                                                                                          \
  ROW(Verify)                                                                                                          \
  ROW(Relock)                                                                                                          \
  ROW(Drop)                                                                                                            \
  ROW(Explain)                                                                                                         \
  ROW(Report)                                                                                                          \
  ROW(Runs)                                                                                                            \
  ROW(Prompt)                                                                                                          \
  ROW(Show)                                                                                                            \
  ROW(Insight)                                                                                                         \
  ROW(Knowledge)                                                                                                       \
  ROW(Research)                                                                                                        \
  ROW(Memory)                                                                                                          \
  ROW(Export)                                                                                                          \
  ROW(Calibrate)                                                                                                       \
  ROW(Doctor)                                                                                                          \
  ROW(CheckBaseline)                                                                                                   \
  ROW(CheckCandidate)                                                                                                  \
  ROW(CalibrationKernel)                                                                                               \
  ROW(CalibrationLoad)                                                                                                 \
  ROW(Completion)                                                                                                      \
  ROW(Manual)

namespace agentic {

#define AGENTIC_DECLARE(name) extern const CommandRow k##name##Command;
AGENTIC_COMMANDS(AGENTIC_DECLARE)
#undef AGENTIC_DECLARE

std::span<const CommandRow *const> commandTable() {
#define AGENTIC_ROW(name) &k##name##Command,
  static constexpr const CommandRow *kRows[] = {AGENTIC_COMMANDS(AGENTIC_ROW)};
#undef AGENTIC_ROW
  return kRows;
}

} // namespace agentic
