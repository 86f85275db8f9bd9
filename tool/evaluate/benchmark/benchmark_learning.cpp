// Learns facts about a benchmark program from the baseline alone, before any comparison.
#include "tool/base/median.h"
#include "tool/evaluate/benchmark/benchmark_process.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/benchmark/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

constexpr double kRepetitionSeconds = 0.15, kMostRepetitions = 5;

double longestCall(const BenchmarkReport &report) {
  double longest = 0;
  for (const auto &[name, series] : report)
    longest = std::max(longest, median(series.cpuNs) * 1e-9);
  return longest;
}

std::unexpected<Error> baselineError(const TestProgram &program, const BenchmarkFailure &failure,
                                     const std::string &filter) {
  std::string text = fmt::format("{} {} on the unchanged kernel", program.described(), failure.reason);
  if (!failure.details.empty())
    text += ": " + failure.details;
  if (failure.reason == "reported no benchmark" && !filter.empty())
    return userError(fmt::format("benchmark program '{}' has no benchmark that matches '{}'", program.target, filter),
                     "correct BENCHMARK_FILTER; " + program.file + " --benchmark_list_tests lists what there is");
  const bool hasNoReport =
      failure.reason == "wrote no benchmark report" || failure.reason.starts_with("exited with status");
  const std::string next =
      !program.metric.pattern.empty() ? "; " + program.metric.option + " must find the one number that counts"
      : hasNoReport ? "; if it is no Google Benchmark, name in BENCHMARK_METRIC the number that it prints"
                    : "; leave out what cannot be measured with BENCHMARK_FILTER, or have it run in the "
                      "folder of its files by add_test() with WORKING_DIRECTORY";
  if (failure.timedOut && program.isApplication)
    return timeoutError(text, "let it do less: it runs 40 times and more; or leave END_TO_END out, or raise "
                              "--max-total-seconds");
  return (failure.timedOut ? timeoutError : userError)(
      text, "run " + program.file + " by hand" +
                (program.workingDirectory.empty() ? "" : " in " + program.workingDirectory) + next);
}

using Sampled = std::expected<BenchmarkSample, BenchmarkFailure>;

Result<Sampled> tryBaseline(const RunContext &context, BenchmarkProcessRequest &process) {
  Sampled sample = TRY(runBenchmark(context, process));
  if (!sample && !process.minTimeSuffix && sample.error().details.find("benchmark_min_time") != std::string::npos) {
    process.minTimeSuffix = true; // newer libraries may insist on a unit
    return tryBaseline(context, process);
  }
  return sample;
}

Result<BenchmarkSample> runBaseline(const RunContext &context, BenchmarkProcessRequest &process) {
  Sampled sample = TRY(tryBaseline(context, process));
  if (!sample)
    return baselineError(*process.program, sample.error(), process.filter);
  return std::move(*sample);
}

/// Runs the program for the first time. Benchmarks that report an error are left out by a filter, so that no later
/// process spends time on them, and then it runs again.
Result<BenchmarkSample> firstSample(const RunContext &context, BenchmarkProcessRequest &process,
                                    BenchmarkProgramFacts &facts) {
  Sampled sample = TRY(tryBaseline(context, process));
  if (!sample && !sample.error().others.empty())
    if (const std::optional<std::string> filter = filterOf(sample.error().others)) {
      facts.leftOut = sample.error().messages;
      facts.filter = process.filter = *filter;
      return runBaseline(context, process);
    }
  if (!sample)
    return baselineError(*process.program, sample.error(), process.filter);
  return std::move(*sample);
}

/// Returns the median process in its CPU account, by its unclaimed time.
CpuAccount middle(std::vector<CpuAccount> accounts) {
  const auto half = accounts.begin() + std::ptrdiff_t(accounts.size() / 2);
  std::ranges::nth_element(accounts, half, {}, &CpuAccount::unclaimed);
  return *half;
}

/// Measures what the benchmark does between its iterations, from runs with more of them; 0 for long ones. The value
/// hides a false clock later, so it is a median: the placement of a process's buffers makes such work up to three times
/// slower in some processes. One look shows that most benchmarks do no such work.
Result<double> learnPaused(const RunContext &context, BenchmarkProcessRequest process, const CpuAccount &first,
                           double minTime) {
  constexpr double kLongest = 2;
  constexpr int kFew = 3;
  if (minTime >= kLongest)
    return 0;
  process.repetitions = 1;
  const double shortest = process.minTime;
  auto account = [&](double seconds) -> Result<CpuAccount> {
    process.minTime = seconds;
    BenchmarkSample sample = TRY(runBaseline(context, process));
    return sample.account;
  };
  CpuAccount glance = TRY(account(minTime));
  if (pausedSecondsPerIteration(first, glance, SearchDoubt::Allowed) == 0)
    return 0;
  std::vector<CpuAccount> few{first};
  while (few.size() < kFew) {
    CpuAccount again = TRY(account(shortest));
    few.push_back(again);
  }
  const CpuAccount usual = middle(std::move(few));
  std::vector<double> paused;
  for (const double factor : {1.0, 1.15, 1.3, 1.5, 1.7}) {
    CpuAccount more = TRY(account(factor * minTime));
    paused.push_back(pausedSecondsPerIteration(usual, more));
  }
  return median(std::move(paused));
}

/// Finds the benchmarks whose kernel runs in other threads than the one that they time. On a busy machine a benchmark
/// waits, and the start of its process may look like the work of threads: whoever is suspected runs once more, longer.
Result<void> learnThreads(const RunContext &context, BenchmarkProcessRequest &process, BenchmarkSample &first,
                          BenchmarkProgramFacts &facts) {
  WorkOfOtherThreads work = workOfOtherThreads(first.report, first.account.unclaimed);
  if (work.byWallTime.empty() && work.unseen.empty())
    return {};
  BenchmarkProcessRequest longer = process;
  longer.minTime *= 4;
  const BenchmarkSample second = TRY(runBaseline(context, longer));
  work =
      workInBoth(std::move(work), workOfOtherThreads(second.report, unclaimedThatGrows(first.account, second.account)));
  facts.unseen = std::move(work.unseen);
  facts.byWallTime = process.byWallTime = std::move(work.byWallTime);
  countWallTime(facts.byWallTime, first.report);
  first.account = cpuAccount(first.report, first.account.total, process.minTime);
  return {};
}

Result<BenchmarkProgramFacts> learnProgram(const RunContext &context, const BenchmarkRequest &request,
                                           const TestProgram &program) {
  BenchmarkProcessRequest process;
  process.program = &program;
  process.filter = request.filter;
  process.sharedObject = request.reference;
  process.timeoutSeconds = request.firstTimeoutSeconds;
  BenchmarkProgramFacts facts;
  facts.target = program.target;
  BenchmarkSample first = TRY(firstSample(context, process, facts));

  facts.names = benchmarkNames(first.report);
  if (!program.metric.pattern.empty()) {
    facts.printed = first.metric.shown + ", from the line '" + first.metric.line + "'";
    facts.seconds = first.wallSeconds;
    facts.wallPerCpu = std::max(1.0, first.wallPerCpu);
    return facts;
  }
  facts.minTimeSuffix = process.minTimeSuffix;
  TRY(learnThreads(context, process, first, facts));
  double call = longestCall(first.report);
  facts.repetitions = int(std::clamp(std::floor(kRepetitionSeconds / call), 1.0, kMostRepetitions));

  // As in measurements; then once with more iterations, to see what the benchmark does between them.
  process.repetitions = facts.repetitions;
  BenchmarkSample usual = TRY(runBaseline(context, process));
  facts.seconds = usual.wallSeconds;
  facts.wallPerCpu = std::max(1.0, std::min(first.wallPerCpu, usual.wallPerCpu));
  double paused = TRY(learnPaused(context, process, first.account, std::max(4 * kMinTimeSeconds, 2.1 * call)));
  facts.pausedPerIteration = paused;
  return facts;
}

} // namespace

Result<BenchmarkFacts> learnBenchmarks(const RunContext &context, const BenchmarkRequest &request) {
  const LockFile lock = TRY(lockMeasuring(request.lockFile, context.cancelled));
  BenchmarkFacts facts;
  for (const TestProgram &program : *request.programs) {
    BenchmarkProgramFacts learned = TRY(learnProgram(context, request, program));
    facts.push_back(std::move(learned));
  }
  return facts;
}

} // namespace agentic
