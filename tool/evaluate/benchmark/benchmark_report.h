// Google Benchmark's JSON report, read as hostile input.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// One benchmark's repetitions in one process.
struct BenchmarkSeries {
  std::vector<double> cpuNs;         ///< CPU time per iteration, positive
  std::vector<double> iterations;    ///< of each repetition
  double bytesPerIteration = 0;      ///< of SetBytesProcessed; 0 = not counted
  double operationsPerIteration = 0; ///< of a rate counter FLOPS; 0 = not counted
};
using BenchmarkReport = std::map<std::string, BenchmarkSeries>; ///< by run_name

struct BenchmarkReportError {
  std::string reason;  ///< ours: safe to show
  std::string details; ///< the program's words: a name or message that a hostile process may have written
};

/// Never throws. Errors: not a report, no benchmark in it, a benchmark that reported an error or no time.
std::expected<BenchmarkReport, BenchmarkReportError> parseBenchmarkReport(std::string_view text);

/// Sorted.
std::vector<std::string> benchmarkNames(const BenchmarkReport &report);

/// CPU seconds that the process says it spent in timed code.
double claimedSeconds(const BenchmarkReport &report);

} // namespace agentic
