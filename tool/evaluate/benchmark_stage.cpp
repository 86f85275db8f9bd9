#include "tool/evaluate/benchmark_stage.h"

#include "tool/base/clock.h"
#include "tool/evaluate/benchmark_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace agentic {
namespace {

constexpr double kRepetitionSeconds = 0.15, kMostRepetitions = 5;
constexpr double kSlowestFactor = 5;
constexpr double kDisturbed = 1.3;          // wall time per CPU time, relative to an undisturbed process
constexpr double kDisturbedThreshold = 0.1; // such effects are called on a machine that is busy all the time
constexpr double kDisturbedConfidence = 5;  // others with a fifth of the doubt
constexpr std::size_t kTriesPerPair = 2, kLeastTries = 8;
constexpr double kDecisionSeconds = 5.8, kPairsInAnyCase = 12; // six, with room for a last pair that takes longer

/// One process of every program, for one side.
using Side = std::vector<BenchmarkSample>;

struct MeasuredPair {
  Side reference, candidate;
  bool disturbed = false;
};

BenchmarkProcessRequest processRequest(const BenchmarkRequest &request, std::size_t program,
                                       const BenchmarkProgramFacts &facts) {
  BenchmarkProcessRequest process;
  process.program = &(*request.programs)[program];
  process.filter = request.filter;
  process.repetitions = facts.repetitions;
  process.minTimeSuffix = facts.minTimeSuffix;
  process.timeoutSeconds = std::max(request.shortestTimeoutSeconds, kSlowestFactor * facts.seconds);
  return process;
}

std::vector<std::string> namesOf(const BenchmarkReport &report) {
  std::vector<std::string> names;
  for (const auto &[name, series] : report)
    names.push_back(name);
  return names;
}

double longestCall(const BenchmarkReport &report) {
  double longest = 0;
  for (const auto &[name, series] : report)
    longest = std::max(longest, median(series.cpuNs) * 1e-9);
  return longest;
}

std::unexpected<Error> baselineError(const TestProgram &program, const BenchmarkFailure &failure,
                                     const std::string &filter) {
  std::string text = fmt::format("benchmark program '{}' {} on the unchanged kernel", program.target, failure.reason);
  if (!failure.details.empty())
    text += ": " + failure.details;
  if (failure.reason == "reported no benchmark" && !filter.empty())
    return userError(fmt::format("benchmark program '{}' has no benchmark that matches '{}'", program.target, filter),
                     "correct BENCHMARK_FILTER; " + program.file + " --benchmark_list_tests lists what there is");
  return (failure.timedOut ? timeoutError : userError)(
      text, "run " + program.file + " by hand; leave out what cannot be measured with BENCHMARK_FILTER");
}

Result<BenchmarkSample> runBaseline(const RunContext &context, BenchmarkProcessRequest &process) {
  auto sample = runBenchmark(context, process);
  if (!sample)
    return std::unexpected(sample.error());
  if (!*sample && !process.minTimeSuffix && sample->error().details.find("benchmark_min_time") != std::string::npos) {
    process.minTimeSuffix = true; // newer libraries may insist on a unit
    return runBaseline(context, process);
  }
  if (!*sample)
    return baselineError(*process.program, sample->error(), process.filter);
  return std::move(**sample);
}

/// What the benchmark does between its iterations, from runs with more of them; 0 for long ones. What is believed here
/// hides a false clock later: so it counts only where runs of five lengths all see it. Then the largest counts, because
/// where a process's buffers happen to lie alone makes such work a third dearer in some processes than in others.
Result<double> learnPaused(const RunContext &context, BenchmarkProcessRequest process, const CpuAccount &few,
                           double minTime) {
  constexpr double kLongest = 2;
  if (minTime >= kLongest)
    return 0;
  process.repetitions = 1;
  double most = 0;
  for (const double factor : {1.0, 1.15, 1.3, 1.5, 1.7}) {
    process.minTime = factor * minTime;
    Result<BenchmarkSample> more = runBaseline(context, process);
    if (!more)
      return std::unexpected(more.error());
    const double paused = pausedSecondsPerIteration(few, more->account);
    if (paused == 0)
      return 0;
    most = std::max(most, paused);
  }
  return most;
}

Result<BenchmarkProgramFacts> learnProgram(const RunContext &context, const BenchmarkRequest &request,
                                           const TestProgram &program) {
  BenchmarkProcessRequest process;
  process.program = &program;
  process.filter = request.filter;
  process.sharedObject = request.reference;
  process.timeoutSeconds = request.firstTimeoutSeconds;
  Result<BenchmarkSample> first = runBaseline(context, process);
  if (!first)
    return std::unexpected(first.error());

  BenchmarkProgramFacts facts;
  facts.target = program.target;
  facts.names = namesOf(first->report);
  facts.minTimeSuffix = process.minTimeSuffix;
  double call = longestCall(first->report);
  facts.repetitions = int(std::clamp(std::floor(kRepetitionSeconds / call), 1.0, kMostRepetitions));

  // As it will be measured; and once with more iterations, to see what the benchmark does between them.
  process.repetitions = facts.repetitions;
  Result<BenchmarkSample> usual = runBaseline(context, process);
  if (!usual)
    return std::unexpected(usual.error());
  facts.seconds = usual->wallSeconds;
  facts.wallPerCpu = std::max(1.0, std::min(first->wallPerCpu, usual->wallPerCpu));
  Result<double> paused = learnPaused(context, process, first->account, std::max(4 * kMinTimeSeconds, 2.1 * call));
  if (!paused)
    return std::unexpected(paused.error());
  facts.pausedPerIteration = *paused;
  return facts;
}

class PairedRun {
public:
  PairedRun(const RunContext &context, const BenchmarkRequest &request, const BenchmarkFacts &facts)
      : context_(context), request_(request), facts_(facts), random_(request.seed) {}

  Result<BenchmarkOutcome> run() {
    const double start = steadySeconds();
    while (!decided()) {
      if (request_.secondsLimit > 0 && steadySeconds() - start > request_.secondsLimit) {
        outcome_.undecided = "the time was up before the benchmark was decided";
        break;
      }
      if (Result<void> pair = runPair(); !pair)
        return std::unexpected(pair.error());
    }
    outcome_.seconds = steadySeconds() - start;
    return std::move(outcome_);
  }

private:
  /// Both sides; a failure of the candidate ends the run through `outcome_`.
  Result<void> runPair() {
    MeasuredPair pair;
    bool candidateFirst = random_() >> 63;
    for (bool candidate : {candidateFirst, !candidateFirst}) {
      Result<bool> ran = runSide(pair, candidate);
      if (!ran)
        return std::unexpected(ran.error());
      if (!*ran)
        return {};
    }
    pairs_.push_back(std::move(pair));
    ++outcome_.pairs;
    return {};
  }

  /// False when the candidate's process failed.
  Result<bool> runSide(MeasuredPair &pair, bool candidate) {
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      BenchmarkProcessRequest process = processRequest(request_, i, facts_[i]);
      process.sharedObject = candidate ? request_.candidate : request_.reference;
      if (candidate && request_.candidatePrograms)
        process.program = &(*request_.candidatePrograms)[i];
      auto sample = runBenchmark(context_, process);
      if (!sample)
        return std::unexpected(sample.error());
      if (!*sample && !candidate)
        return userError(fmt::format("benchmark program '{}' {} on the reference, which it did not before: {}",
                                     facts_[i].target, sample->error().reason, sample->error().details),
                         "run it by hand several times; a benchmark must not fail now and then");
      if (!*sample && sample->error().timedOut) {
        outcome_.undecided = fmt::format("benchmark program {} {}: far slower than the reference, or it hangs",
                                         facts_[i].target, sample->error().reason);
        return false;
      }
      if (!*sample || namesOf((*sample)->report) != facts_[i].names) {
        if (!candidate)
          return userError("benchmark program '" + facts_[i].target + "' reported other benchmarks than before",
                           "a benchmark program must report the same benchmarks each time");
        outcome_.rejection =
            fmt::format("benchmark program {} {}", facts_[i].target,
                        *sample ? "reported other benchmarks than the baseline does" : sample->error().reason);
        return false;
      }
      outcome_.ownSeconds += (*sample)->ownSeconds;
      pair.disturbed |= (*sample)->wallPerCpu > kDisturbed * facts_[i].wallPerCpu;
      (candidate ? pair.candidate : pair.reference).push_back(std::move(**sample));
    }
    return true;
  }

  bool decided() {
    if (!outcome_.rejection.empty() || !outcome_.undecided.empty())
      return true;
    if (pairs_.empty())
      return false;
    std::vector<const MeasuredPair *> quiet, all;
    for (const MeasuredPair &pair : pairs_) {
      all.push_back(&pair);
      if (!pair.disturbed)
        quiet.push_back(&pair);
    }
    const bool isLast = isOutOfTime();
    DecisionRule rule = request_.rule;
    if (isLast && quiet.size() >= leastPairs())
      rule.stages = {int(quiet.size())};
    if (quiet.size() != lastQuiet_ || isLast) { // one decision per stage
      lastQuiet_ = quiet.size();
      if (std::optional<Measurement> measurement = combine(measurements(quiet), rule))
        return accept(std::move(*measurement));
    }
    if (quiet.size() == all.size())
      return false;
    return decidedThoughBusy(all, quiet.size(), isLast);
  }

  std::size_t leastPairs() const { return std::size_t(std::max(int(kLeastTries), request_.rule.minimumPairs)); }

  /// There is enough to decide on, and one more pair would probably take longer than a decision may.
  bool isOutOfTime() const {
    const double pair = outcome_.ownSeconds / double(pairs_.size());
    return pairs_.size() >= leastPairs() && outcome_.ownSeconds + pair > decisionSeconds(facts_);
  }

  /// CPU time bears a busy machine well: pairs of a cache-resident kernel spread by 1.4 % at fourteen compilers on two
  /// CPUs. So disturbed pairs count, too, but for large effects, or from eight on with a wider interval.
  bool decidedThoughBusy(const std::vector<const MeasuredPair *> &all, std::size_t quiet, bool isLast) {
    const std::vector<int> &stages = request_.rule.stages;
    DecisionRule coarse = request_.rule;
    coarse.threshold = std::max(coarse.threshold, kDisturbedThreshold);
    std::optional<Measurement> measurement = combine(measurements(all), coarse);
    if (measurement && (measurement->comparison == Comparison::Faster || measurement->comparison == Comparison::Slower))
      return accept(std::move(*measurement));
    DecisionRule strict = request_.rule;
    strict.minimumPairs = int(leastPairs());
    strict.confidence = 1 - (1 - strict.confidence) / kDisturbedConfidence;
    if (isLast)
      strict.stages.push_back(int(all.size()));
    strict.stages.push_back(std::numeric_limits<int>::max()); // what it cannot tell is too noisy, not the same
    if (measurement = combine(measurements(all), strict); measurement)
      return accept(std::move(*measurement));
    auto next = std::ranges::find_if(
        stages, [&](int stage) { return std::size_t(stage) > quiet && stage >= request_.rule.minimumPairs; });
    std::size_t wanted = next == stages.end() ? quiet : std::size_t(*next);
    if (!isLast && all.size() < std::max({kLeastTries, std::size_t(stages.back()), kTriesPerPair * wanted}))
      return false;
    coarse.stages = {int(all.size())};
    measurement = combine(measurements(all), coarse);
    measurement->comparison = Comparison::TooNoisy;
    measurement->reason =
        fmt::format("too noisy: other programs disturbed {} of {} pairs; try again on a quieter machine",
                    all.size() - quiet, all.size());
    return accept(std::move(*measurement));
  }

  /// A claimed gain must also be visible from outside.
  bool accept(Measurement measurement) {
    for (std::size_t i = 0; i < facts_.size() && measurement.comparison == Comparison::Faster; ++i) {
      std::vector<CpuAccount> reference, candidate;
      for (const MeasuredPair &pair : pairs_) {
        reference.push_back(pair.reference[i].account);
        candidate.push_back(pair.candidate[i].account);
      }
      outcome_.rejection = auditCpu(reference, candidate, facts_[i].pausedPerIteration, kMinTimeSeconds);
      if (!outcome_.rejection.empty())
        return true;
    }
    outcome_.measurement = std::move(measurement);
    return true;
  }

  std::vector<BenchmarkMeasurement> measurements(const std::vector<const MeasuredPair *> &pairs) const {
    std::vector<BenchmarkMeasurement> result;
    for (std::size_t i = 0; i < facts_.size(); ++i)
      for (const std::string &name : facts_[i].names) {
        BenchmarkMeasurement measurement;
        measurement.benchmark = facts_.size() == 1 ? name : facts_[i].target + ": " + name;
        for (const MeasuredPair *pair : pairs)
          measurement.pairs.push_back(
              {pair->reference[i].report.at(name).cpuNs, pair->candidate[i].report.at(name).cpuNs});
        result.push_back(std::move(measurement));
      }
    return result;
  }

  const RunContext &context_;
  const BenchmarkRequest &request_;
  const BenchmarkFacts &facts_;
  std::mt19937_64 random_;
  std::vector<MeasuredPair> pairs_;
  std::size_t lastQuiet_ = 0;
  BenchmarkOutcome outcome_;
};

} // namespace

Result<BenchmarkFacts> learnBenchmarks(const RunContext &context, const BenchmarkRequest &request) {
  Result<LockFile> lock = lockMeasuring(request.lockFile, context.cancelled);
  if (!lock)
    return std::unexpected(lock.error());
  BenchmarkFacts facts;
  for (const TestProgram &program : *request.programs) {
    Result<BenchmarkProgramFacts> learned = learnProgram(context, request, program);
    if (!learned)
      return std::unexpected(learned.error());
    facts.push_back(std::move(*learned));
  }
  return facts;
}

Result<BenchmarkOutcome> measure(const RunContext &context, const BenchmarkRequest &request,
                                 const BenchmarkFacts &facts) {
  Result<LockFile> lock = lockMeasuring(request.lockFile, context.cancelled);
  if (!lock)
    return std::unexpected(lock.error());
  return PairedRun(context, request, facts).run();
}

double pairSeconds(const BenchmarkFacts &facts) {
  double seconds = 0;
  for (const BenchmarkProgramFacts &program : facts)
    seconds += 2 * program.seconds;
  return seconds;
}

double decisionSeconds(const BenchmarkFacts &facts) {
  double pair = 0;
  for (const BenchmarkProgramFacts &program : facts)
    pair += 2 * program.seconds / std::max(1.0, program.wallPerCpu); // whatever else ran when that was learnt
  return std::max(kDecisionSeconds, kPairsInAnyCase * pair);
}

} // namespace agentic
