// A tournament of agents on one kernel: <build>/_agentic/compare/<kernel>-<utc>/compare.json lists its runs, each with
// a journal of its own below runs/<n>/. The file is written whole after every step, so that a killed comparison goes
// on.
#pragma once

#include "tool/base/error.h"
#include "tool/model/measurement.h"
#include "tool/run/optimize_run.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Running: begun, and its end is not known.
enum class CompareState { Waiting, Running, Done, Failed };
const char *compareStateName(CompareState state);

struct CompareRow {
  std::string name;          ///< name as a record may hold it
  std::string label;         ///< for people; distinct
  std::string strategy = {}; ///< set if strategies are compared, too, and the agent asks a model
  CompareState state = CompareState::Waiting;
  std::string reason;             ///< why it ended, or failed
  std::optional<Speedup> speedup; ///< speedup of the confirmed winner; nullopt = none
  std::string origin;             ///< origin of the winner
  double usd = 0, seconds = 0;
  std::int64_t inputTokens = 0, outputTokens = 0;
  int iterations = 0, peakIteration = 0; ///< peak 0 = no winner
  double peakSeconds = 0;
  std::map<std::string, int> rejected;     ///< count by stage
  std::map<std::string, CallTotals> roles; ///< what each role cost; read from its run, not from compare.json
  std::string runDirectory;                ///< empty: it did not come to a search
};

struct AgentComparison {
  std::string directory;
  std::string kernel, level, optimization; ///< level and optimization as requested; may be empty
  std::optional<double> budgetUsd;
  std::optional<int> maxIterations;
  TimeOptions time;
  std::uint64_t seed = 1;
  bool isCut = false; ///< the names are stored without the parts that may be secret
  std::vector<CompareRow> rows;

  std::string runsDir(std::size_t row) const { return directory + "/runs/" + std::to_string(row + 1); }
};

/// Returns the rows of these agents, each that asks a model once with each strategy; without strategies, once. Errors:
/// there is no such strategy.
Result<std::vector<CompareRow>> compareRows(const std::vector<std::string> &agents,
                                            const std::vector<std::string> &strategies);

/// Creates the folder of a comparison and writes its file.
Result<AgentComparison> createComparison(const std::string &buildDir, AgentComparison comparison,
                                         const Surroundings &surroundings);

/// Returns the kernel's newest comparison that is unfinished. Errors: there is none, its file is damaged.
Result<AgentComparison> unfinishedComparison(const std::string &buildDir, const std::string &kernel);

/// Writes compare.json.
Result<void> saveComparison(const AgentComparison &comparison, const Surroundings &surroundings);
Result<AgentComparison> readComparison(const std::string &directory);

/// Returns whether the row's run has ended by its own journal, though its row does not say so.
bool hasEnded(const AgentComparison &comparison, std::size_t row);

/// Fills the row from its run's journal and calls. Unchanged if there is no run yet.
void fillFromRun(AgentComparison &comparison, std::size_t row);

} // namespace agentic
