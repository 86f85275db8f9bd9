// A subcommand: one file and one row of the table in commands.cpp.
#pragma once

#include "tool/cli/console.h"

#include <memory>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace agentic {

class Command {
public:
  virtual ~Command() = default;
  /// Adds its options; called before parsing.
  virtual void declare(CLI::App &app) = 0;
  /// Returns the exit status (design §10).
  virtual int run(Console &console) = 0;
};

struct CommandRow {
  std::string_view name, summary;
  std::unique_ptr<Command> (*make)();
  bool hidden = false; ///< called by AgenticKernel.cmake or by the tool itself, not by people
};
std::span<const CommandRow> commandTable();

std::unique_ptr<Command> makeAdequacyCommand();
std::unique_ptr<Command> makeAgentsCommand();
std::unique_ptr<Command> makeCheckCommand();
std::unique_ptr<Command> makeCheckBaselineCommand();
std::unique_ptr<Command> makeCheckCandidateCommand();
std::unique_ptr<Command> makeCompareCommand();
std::unique_ptr<Command> makeDoctorCommand();
std::unique_ptr<Command> makeEvaluateCommand();
std::unique_ptr<Command> makeExplainCommand();
std::unique_ptr<Command> makeInitCommand();
std::unique_ptr<Command> makeInsightCommand();
std::unique_ptr<Command> makeOptimizeCommand();
std::unique_ptr<Command> makePromptCommand();
std::unique_ptr<Command> makeRedTeamCommand();
std::unique_ptr<Command> makeApplyCommand();
std::unique_ptr<Command> makeShowCommand();
std::unique_ptr<Command> makeStatusCommand();
std::unique_ptr<Command> makeVerifyCommand();
std::unique_ptr<Command> makeRelockCommand();
std::unique_ptr<Command> makeDropCommand();
std::unique_ptr<Command> makeSuiteCommand();
std::unique_ptr<Command> makeReportCommand();
std::unique_ptr<Command> makeRunsCommand();
std::unique_ptr<Command> makeCalibrateCommand();
std::unique_ptr<Command> makeCalibrationKernelCommand();
std::unique_ptr<Command> makeCalibrationLoadCommand();
std::unique_ptr<Command> makeCompletionCommand();
std::unique_ptr<Command> makeManualCommand();

} // namespace agentic
