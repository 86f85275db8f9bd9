// Reads Google Benchmark's JSON report as hostile input.
#pragma once

#include <expected>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The repetitions of one benchmark in one process.
struct BenchmarkSeries {
  std::vector<double> cpuNs;         ///< CPU time per iteration, positive; or the wall time: countWallTime()
  std::vector<double> iterations;    ///< number in each repetition
  double bytesPerIteration = 0;      ///< from SetBytesProcessed; 0 = not counted
  double operationsPerIteration = 0; ///< from a rate counter FLOPS; 0 = not counted
  std::vector<double> wallNs{};      ///< wall time per iteration, positive; the benchmark's own clock if it has one
};
using BenchmarkReport = std::map<std::string, BenchmarkSeries>; ///< by run_name

struct BenchmarkReportError {
  std::string reason;  ///< our text: safe to show
  std::string details; ///< the program's words: a name or message that a hostile process may have written
  std::map<std::string, std::string> messages{}; ///< of the benchmarks that report an error; the program's words
  std::vector<std::string> others{};             ///< names of those that do not, if that is all that is wrong
};

/// Parses a report; never throws. Errors: not a report, no benchmark in it, a benchmark that reported an error or no
/// time.
std::expected<BenchmarkReport, BenchmarkReportError> parseBenchmarkReport(std::string_view text);

/// Returns the names, sorted.
std::vector<std::string> benchmarkNames(const BenchmarkReport &report);

/// The benchmarks whose work other threads do than the one whose CPU time they report.
struct WorkOfOtherThreads {
  std::set<std::string> byWallTime; ///< they ask for wall time (UseRealTime, UseManualTime), which counts that work
  std::set<std::string> unseen;     ///< they do not: what they report does not count it
};
/// `unclaimedSeconds`: CPU time of the process that the report does not explain. On a busy machine a benchmark waits,
/// too, but then there is no such time.
WorkOfOtherThreads workOfOtherThreads(const BenchmarkReport &report, double unclaimedSeconds);
/// Returns what two runs show.
WorkOfOtherThreads workInBoth(WorkOfOtherThreads one, const WorkOfOtherThreads &other);

/// Makes the wall time the time of these benchmarks. With all threads on one CPU it is that of their work, one after
/// the other.
void countWallTime(const std::set<std::string> &names, BenchmarkReport &report);

/// Returns the CPU seconds that the process claims to have spent in timed code.
double claimedSeconds(const BenchmarkReport &report);

} // namespace agentic
