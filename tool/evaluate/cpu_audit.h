// The benchmark's clock lives in the candidate's address space and counts the main thread only. So what the process
// claims is compared with what its parent saw: CPU time outside the timed code must be explained by what the baseline
// spends there. Catches a slowed clock and work moved to other threads or processes. Pure.
#pragma once

#include "tool/evaluate/benchmark_report.h"

#include <span>
#include <string>

namespace agentic {

/// One process, as the audit sees it. Seconds.
struct CpuAccount {
  double total = 0;      ///< CPU time of the whole process, seen by the parent
  double claimed = 0;    ///< sum of iterations × CPU time
  double unclaimed = 0;  ///< total − claimed − the search for the number of iterations
  double calls = 0;      ///< of benchmark functions, that search included: each repeats the set-up
  double iterations = 0; ///< in all repetitions and in that search
};

CpuAccount cpuAccount(const BenchmarkReport &report, double totalSeconds, double minTime);

/// What the baseline spends per iteration outside the timed code (PauseTiming), from a run with few iterations and one
/// with more; 0 if it is not a notable share.
double pausedSecondsPerIteration(const CpuAccount &few, const CpuAccount &more);

/// Empty if the candidate's unclaimed CPU time is explained, else the reason. Compares medians over processes.
std::string auditCpu(std::span<const CpuAccount> reference, std::span<const CpuAccount> candidate,
                     double pausedPerIteration, double minTime);

} // namespace agentic
