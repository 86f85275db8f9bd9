// The benchmark's clock lives in the candidate's address space and counts the main thread only. So the claims of the
// process are compared with its parent's view: CPU time outside the timed code must be explained by the baseline's time
// there. Catches a slowed clock and work moved to other threads or processes. Pure.
//
// The number of iterations in the benchmark's search is a guess from its report, and near a power of ten the guess can
// be wrong by one try of up to a whole repetition, in every process alike. So a suspicion is no verdict: it is decided
// in fresh pairs of processes that are granted that doubt, long enough for it to weigh little.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/benchmark_report.h"

#include <functional>
#include <span>
#include <string>

namespace agentic {

/// The account of one process, for the audit. Seconds.
struct CpuAccount {
  double total = 0;      ///< CPU time of the whole process, seen by the parent
  double claimed = 0;    ///< sum of iterations × CPU time
  double unclaimed = 0;  ///< total − claimed − the search for the number of iterations
  double calls = 0;      ///< calls of benchmark functions, that search included: each repeats the set-up
  double iterations = 0; ///< in all repetitions and in that search
  double doubt = 0;      ///< part of that search: seconds counted for it that may not have happened
  double doubtIterations = 0;
};

/// Allowed: the reference is granted the doubt of its search, and half more for work between iterations.
enum class SearchDoubt { Ignored, Allowed };

CpuAccount cpuAccount(const BenchmarkReport &report, double totalSeconds, double minTime);

/// Returns the baseline's time per iteration outside the timed code (PauseTiming), from a run with few iterations and
/// one with more; 0 if it is not a notable share. With the doubt allowed: the largest possible value.
double pausedSecondsPerIteration(const CpuAccount &few, const CpuAccount &more,
                                 SearchDoubt doubt = SearchDoubt::Ignored);

/// Returns the part of the longer run's unclaimed CPU time that grows with the iterations, as the work of other threads
/// does, and the start of a process does not; all of it if it has hardly more iterations than the other.
double unclaimedThatGrows(const CpuAccount &few, const CpuAccount &more);

/// Returns empty if the candidate's unclaimed CPU time is explained, else the reason. Compares medians over processes.
std::string auditCpu(std::span<const CpuAccount> reference, std::span<const CpuAccount> candidate,
                     double pausedPerIteration, double minTime, SearchDoubt doubt = SearchDoubt::Ignored);

/// The same for a program whose report does not tell timed code from other code: if a better number claims that much of
/// the process's CPU time is gone, half of that must be. `cpuShare`: the kernel's part in the reference's CPU time;
/// 0 or less = not known, or the program runs as long whatever the kernel does, and then only auditCpu looks.
std::string auditGain(std::span<const CpuAccount> reference, std::span<const CpuAccount> candidate, double cpuShare,
                      double speedup);

/// Looks up to five times, each time at a fresh pair, for as long as neither answer has three: work between iterations
/// costs up to three times as much in some processes as in others, of either side. Returns the last reason of a
/// suspicion that three of them share, else empty. Errors are those of `look`.
Result<std::string> mostOfFive(const std::function<Result<std::string>()> &look);

/// Audits one fresh pair of processes, with the doubt of the search allowed. It has many repetitions, so that an error
/// in the guess at the search, a try and its set-up, weighs little. If the benchmark works between its iterations, or
/// may do so too little to be noticed before, the reference runs `referenceMinTime` (≥ the candidate's), so that it has
/// about as many iterations: the cost of such work changes with the machine's other load, so it is compared with the
/// same work at the same time.
using FreshPair = std::function<Result<std::string>(double referenceMinTime)>;

/// Runs auditCpu and decides its suspicion by fresh pairs. Errors are those of `pair`.
Result<std::string> decideCpu(std::span<const CpuAccount> reference, std::span<const CpuAccount> candidate,
                              double pausedPerIteration, double minTime, const FreshPair &pair);

/// Returns the repetitions of a process that decides on a suspicion: 40, of which a search is 3 %, or as many as fit
/// into two seconds, but no fewer than `usual`. `repetitionSeconds`: time of one repetition.
int repetitionsForAudit(int usual, double repetitionSeconds);

} // namespace agentic
