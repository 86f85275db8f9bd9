// Shared code of several subcommands: common options, interruption, and small formatting.
#pragma once

#include "tool/cli/console.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/evaluation.h"
#include "tool/model/figures.h"
#include "tool/report/speedup_json.h"
#include "tool/run/candidate_file.h"
#include "tool/run/target_options.h"

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace agentic {

/// Returns the flag that SIGINT and SIGTERM raise; every blocking call below watches it. A second signal ends the
/// process at once.
const std::atomic<bool> &interrupted();
void installSignalHandlers();

inline constexpr const char *kKernelOption = "kernel, as named by add_agentic_kernel(); an only one needs no name";

struct CommonOptions : TargetOptions {
  bool json = false;
  bool timings = false;
  bool quiet = false;

  enum class Kernels { One, All }; ///< what a command works on where no kernel is named
  void declare(CLI::App &app, Kernels kernels);
  void declareTree(CLI::App &app); ///< all of them but --kernel
  void declareLevel(CLI::App &app);
  void declareQuiet(CLI::App &app);
  void declareThreshold(CLI::App &app);
  void declareRequirements(CLI::App &app); ///< --require-adequate, --require-sandbox, --allow-uncovered
  EvaluatorOptions evaluatorOptions(Console &console) const;
};

/// Returns the surroundings of this process.
const Surroundings &surroundings();

/// Returns the error about a command's words: the first is none of its actions, or needs others than it got. `forms`:
/// how each is written.
std::unexpected<Error> wrongAction(const std::string &command, const std::string &action,
                                   const std::vector<std::string> &actions, const std::string &forms);

/// Declares --knowledge-command.
void declareKnowledgeCommand(CLI::App &app, std::string &command);

/// Returns the path of this tool; empty where /proc does not tell.
std::string programPath();

/// Returns a variable of this process's environment.
std::optional<std::string> environment(const std::string &name);

/// Returns Surroundings::cacheFile of this process.
std::string userCacheFile(const std::string &name, const std::string &buildDir);
void printTimings(Console &console, const std::vector<StageTime> &times);

} // namespace agentic
