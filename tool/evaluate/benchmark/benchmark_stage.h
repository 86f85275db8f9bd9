// The benchmark stage: reference and candidate in pairs of fresh processes, in random order, pinned to one CPU, while
// one machine-wide lock keeps everything else of ours quiet. CPU time per iteration, or the wall time where the work is
// done by other threads than the one that is timed; the decision rule is in statistics.h.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/cpu_audit.h"
#include "tool/evaluate/benchmark/statistics.h"
#include "tool/evaluate/programs/program_run.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic {

/// The baseline's behaviour in one benchmark program.
struct BenchmarkProgramFacts {
  std::string target;
  std::vector<std::string> names;               ///< sorted run_names
  int repetitions = 1;                          ///< clamp(0.15 s / longest call, 1, 5)
  double seconds = 0;                           ///< time of one process
  double wallPerCpu = 1;                        ///< ratio on an undisturbed machine
  double pausedPerIteration = 0;                ///< seconds outside the timed code per iteration
  bool minTimeSuffix = false;                   ///< --benchmark_min_time takes "0.02s"
  std::map<std::string, std::string> leftOut{}; ///< benchmarks that report an error, with their messages
  std::string filter{};                         ///< leaves them out; empty = the user's does
  std::set<std::string> byWallTime{};           ///< benchmarks whose wall time counts: threads do their work
  std::set<std::string> unseen{};               ///< benchmarks that do not see the work of their threads
  std::string printed{};                        ///< of a program with a metric: "12.5 MB/s, from the line '…'"
  double cpuShare = -1;                         ///< the kernel's part in that program's CPU time; negative = not known
  double kernelShare = -1;                      ///< the kernel's part in that number, 0 … 1; negative = not known
};
using BenchmarkFacts = std::vector<BenchmarkProgramFacts>;

struct BenchmarkRequest {
  const std::vector<TestProgram> *programs = nullptr;
  const std::vector<TestProgram> *candidatePrograms =
      nullptr;                      ///< set: the candidate's side runs these programs, of another tree
  std::string filter;               ///< BENCHMARK_FILTER
  std::string reference, candidate; ///< shared objects or forced choices; empty = the kernel as it is linked in
  DecisionRule rule;
  std::uint64_t seed = 1;             ///< order within pairs
  double firstTimeoutSeconds = 60;    ///< for the first process, whose time is not known yet
  double shortestTimeoutSeconds = 10; ///< for a candidate's process; else five times the reference's time here
  std::string lockFile;               ///< empty = the machine-wide one
  /// Of a farm: what is asked, by the code of both sides. What a host measured for it before this process, in the same
  /// run, is an answer. Empty: it is measured anew.
  std::string question{};
};

/// Returns the filter that this program's processes need.
inline const std::string &filterFor(const BenchmarkProgramFacts &facts, const std::string &userFilter) {
  return facts.filter.empty() ? userFilter : facts.filter;
}

/// Runs the reference alone, twice per program. A benchmark that reports an error is left out from then on. Errors: no
/// benchmark matches, none is left, one hangs or dies.
Result<BenchmarkFacts> learnBenchmarks(const RunContext &context, const BenchmarkRequest &request);

struct BenchmarkOutcome {
  std::optional<Measurement> measurement;
  std::string rejection;     ///< the candidate's process died, reported something else, or failed the CPU audit
  bool isAuditFault = false; ///< `rejection` is the CPU audit's
  std::string undecided;     ///< the candidate takes far longer than the reference
  int pairs = 0;             ///< measured, disturbed ones included
  double seconds = 0;
  double ownSeconds = 0; ///< their time, without waiting for other programs
  std::string host{};    ///< of a farm, where it was measured; empty: here
};

/// Measures a candidate. Errors: the reference's own process fails; another process holds the lock for too long;
/// interrupted.
Result<BenchmarkOutcome> measure(const RunContext &context, const BenchmarkRequest &request,
                                 const BenchmarkFacts &facts);

/// Returns the seconds that one pair takes on the baseline.
double pairSeconds(const BenchmarkFacts &facts);

/// Returns the seconds of its own after which measure() decides with the pairs that it has: 5.8, unless that is less
/// than twelve pairs. The CPU time of other programs meanwhile does not count: it makes a decision longer, not worse.
double decisionSeconds(const BenchmarkFacts &facts);

} // namespace agentic
