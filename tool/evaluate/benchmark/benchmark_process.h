// Runs one benchmark process of either side, and holds the lock while any of them runs.
#pragma once

#include "tool/base/lock_file.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/benchmark/metric.h"

#include <expected>
#include <map>
#include <string>
#include <vector>

namespace agentic {

inline constexpr double kMinTimeSeconds = 0.02;

struct BenchmarkSample {
  BenchmarkReport report;
  CpuAccount account;
  MetricValue metric; ///< of a program with a metric
  double wallSeconds = 0, wallPerCpu = 1;
  double ownSeconds = 0; ///< wall time that it takes on an undisturbed machine
};

struct BenchmarkFailure {
  std::string reason;  ///< safe to show: "ran longer than 10 s"
  std::string details; ///< the program's words and the end of its output
  bool timedOut = false;
  std::map<std::string, std::string> messages{}; ///< as in BenchmarkReportError
  std::vector<std::string> others{};
};

struct BenchmarkProcessRequest {
  const TestProgram *program = nullptr;
  std::string filter, sharedObject;
  int repetitions = 1;
  double minTime = kMinTimeSeconds;
  bool minTimeSuffix = false;
  double timeoutSeconds = 60;
  std::set<std::string> byWallTime{}; ///< BenchmarkProgramFacts::byWallTime
};

/// Runs a process. Outer error: could not be started, interrupted. Inner: the fault of the process.
Result<std::expected<BenchmarkSample, BenchmarkFailure>> runBenchmark(const RunContext &context,
                                                                      const BenchmarkProcessRequest &request);

/// Returns a BENCHMARK_FILTER that selects exactly these benchmarks; nullopt if a command line could not hold it.
std::optional<std::string> filterOf(const std::vector<std::string> &names);

/// Returns a request for the shortest possible run of one benchmark, when its time does not matter; a program with a
/// metric runs whole. The caller names the shared object.
ProgramRequest shortRun(const TestProgram &program, const BenchmarkProgramFacts &facts, const std::string &benchmark,
                        double minTime = 0.001);

/// Waits up to 15 minutes. `path` empty = the machine-wide lock, which every user of the machine may take.
Result<LockFile> lockMeasuring(const std::string &path, const std::atomic<bool> *cancelled);

} // namespace agentic
