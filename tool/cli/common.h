// What several subcommands share: their common options, interruption, and small formatting.
#pragma once

#include "tool/cli/console.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/evaluation.h"
#include "tool/model/figures.h"
#include "tool/report/speedup_json.h"

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace agentic {

/// Set by SIGINT and SIGTERM; every blocking call below watches it. A second signal ends the process at once.
const std::atomic<bool> &interrupted();
void installSignalHandlers();

struct CommonOptions {
  std::string buildDir = ".";
  std::string kernel;
  std::string config;
  std::string level; ///< empty = the project's
  bool json = false;
  bool timings = false;
  bool quiet = false;
  bool allowUnoptimized = false;
  bool requireSandbox = false;
  bool allowUncovered = false;
  double thresholdPercent = 0;           ///< smallest gain that counts; 0 = not given
  std::optional<double> requireAdequate; ///< percent of the mutants that the tests must notice

  void declare(CLI::App &app, bool kernelRequired);
  void declareTree(CLI::App &app); ///< all of them but --kernel
  void declareLevel(CLI::App &app);
  void declareQuiet(CLI::App &app);
  void declareThreshold(CLI::App &app);
  void declareRequirements(CLI::App &app); ///< --require-adequate, --require-sandbox, --allow-uncovered
  EvaluatorOptions evaluatorOptions(Console &console) const;
};

/// Of this tool; empty where /proc does not tell.
std::string programPath();

/// A variable of this process's environment.
std::optional<std::string> environment(const std::string &name);

/// A file that all projects of this user share: below $XDG_CACHE_HOME or ~/.cache, else in the build tree.
std::string userCacheFile(const std::string &name, const std::string &buildDir);
std::string runsDirectory(const std::string &buildDir);
void printTimings(Console &console, const std::vector<StageTime> &times);

/// A candidate read from a file (a path given by the user).
Result<Candidate> readCandidate(const std::string &path);
/// What open constants (AGENTIC_TUNE, source/tunables.h) become where nothing searches them: the first value of each,
/// or an error that says how to find the best.
enum class OpenConstants { First, Refused };
Result<Candidate> readSettledCandidate(const std::string &path, OpenConstants open);

} // namespace agentic
