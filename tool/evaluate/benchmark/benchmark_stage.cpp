#include "tool/evaluate/benchmark/benchmark_stage.h"

#include "tool/base/clock.h"
#include "tool/base/median.h"
#include "tool/evaluate/benchmark/benchmark_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>

namespace agentic {
namespace {

constexpr double kSlowestFactor = 5;
/// Only a machine that has become busy makes the reference slow: its limit is there for what hangs.
constexpr double kSlowestReferenceFactor = 20, kShortestReferenceTimeout = 60;
constexpr double kBusier = 1.5;
constexpr double kDisturbed = 1.3;          // largest ratio of wall to CPU time, relative to an undisturbed process
constexpr double kDisturbedThreshold = 0.1; // effects above this are decided even on a machine that is always busy
constexpr double kDisturbedConfidence = 5;  // smaller effects need a fifth of the doubt
constexpr std::size_t kTriesPerPair = 2, kLeastTries = 8;
constexpr double kDecisionSeconds = 5.8, kPairsInAnyCase = 12; // six seconds, less the room for a long last pair

/// One process of every program, for one side.
using Side = std::vector<BenchmarkSample>;

struct MeasuredPair {
  Side reference, candidate;
  bool disturbed = false;
};

BenchmarkProcessRequest processRequest(const BenchmarkRequest &request, std::size_t program,
                                       const BenchmarkProgramFacts &facts, int repetitions, double minTime) {
  BenchmarkProcessRequest process;
  process.program = &(*request.programs)[program];
  process.filter = filterFor(facts, request.filter);
  process.repetitions = repetitions;
  process.minTime = minTime;
  process.minTimeSuffix = facts.minTimeSuffix;
  process.byWallTime = facts.byWallTime;
  return process;
}

double usualSeconds(const BenchmarkProgramFacts &facts, int repetitions, double minTime) {
  return facts.seconds * std::max(1.0, double(repetitions) / facts.repetitions) * (minTime / kMinTimeSeconds);
}

class PairedRun {
public:
  PairedRun(const RunContext &context, const BenchmarkRequest &request, const BenchmarkFacts &facts)
      : context_(context), request_(request), facts_(facts), slowdown_(facts.size(), 1), random_(request.seed) {}

  Result<BenchmarkOutcome> run() {
    const double start = steadySeconds();
    while (!decided())
      TRY(runPair());
    TRY(audit());
    outcome_.seconds = steadySeconds() - start;
    return std::move(outcome_);
  }

private:
  /// Runs both sides; a failure of the candidate ends the run through `outcome_`.
  Result<void> runPair() {
    MeasuredPair pair;
    bool candidateFirst = random_() >> 63;
    for (bool candidate : {candidateFirst, !candidateFirst}) {
      bool ran = TRY(runSide(pair, candidate));
      if (!ran)
        return {};
    }
    pairs_.push_back(std::move(pair));
    ++outcome_.pairs;
    return {};
  }

  /// Returns false when the candidate's process failed.
  Result<bool> runSide(MeasuredPair &pair, bool candidate) {
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      std::optional<BenchmarkSample> sample = TRY(runProgram(i, candidate, facts_[i].repetitions));
      if (!sample)
        return false;
      outcome_.ownSeconds += sample->ownSeconds;
      pair.disturbed |= sample->wallPerCpu > kDisturbed * facts_[i].wallPerCpu;
      (candidate ? pair.candidate : pair.reference).push_back(std::move(*sample));
    }
    return true;
  }

  /// Runs one process; nullopt when the candidate's failed: `outcome_` says how.
  Result<std::optional<BenchmarkSample>> runProgram(std::size_t i, bool candidate, int repetitions,
                                                    double minTime = kMinTimeSeconds) {
    BenchmarkProcessRequest process = processRequest(request_, i, facts_[i], repetitions, minTime);
    const double usual = usualSeconds(facts_[i], repetitions, minTime), slowdown = slowdown_[i];
    process.timeoutSeconds = candidate ? std::max(request_.shortestTimeoutSeconds, kSlowestFactor * slowdown * usual)
                                       : std::max(kShortestReferenceTimeout, kSlowestReferenceFactor * usual);
    process.sharedObject = candidate ? request_.candidate : request_.reference;
    if (candidate && request_.candidatePrograms)
      process.program = &(*request_.candidatePrograms)[i];
    auto sample = TRY(runBenchmark(context_, process));
    if (!sample && !candidate)
      return userError(fmt::format("{} {} on the reference, which it did not before: {}", process.program->described(),
                                   sample.error().reason, sample.error().details),
                       sample.error().timedOut
                           ? "look what else runs on the machine, and run it by hand several times"
                           : "run it by hand several times; a benchmark must not fail now and then");
    if (!candidate)
      slowdown_[i] = std::max(slowdown, sample->wallSeconds / usual);
    if (!sample && sample.error().timedOut) {
      TRY(runProgram(i, false, repetitions, minTime));
      if (slowdown_[i] > kBusier * slowdown)
        return runProgram(i, true, repetitions, minTime); // not the candidate was slow, but the machine
      outcome_.undecided = fmt::format("{} {}: far slower than the reference, or it hangs",
                                       process.program->described(), sample.error().reason);
      return std::nullopt;
    }
    if (sample && benchmarkNames(sample->report) == facts_[i].names)
      return std::move(*sample);
    if (!candidate)
      return userError("benchmark program '" + facts_[i].target + "' reported other benchmarks than before",
                       "a benchmark program must report the same benchmarks each time");
    outcome_.rejection =
        fmt::format("{} {}", process.program->described(),
                    sample ? "reported other benchmarks than the baseline does" : sample.error().reason);
    return std::nullopt;
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

  /// Returns whether there is enough to decide, and one more pair would probably exceed the time of a decision.
  bool isOutOfTime() const {
    const double pair = outcome_.ownSeconds / double(pairs_.size());
    return pairs_.size() >= leastPairs() && outcome_.ownSeconds + pair > decisionSeconds(facts_);
  }

  /// CPU time is robust on a busy machine: pairs of a cache-resident kernel spread by 1.4 % at fourteen compilers on
  /// two CPUs. So disturbed pairs count, too, but for large effects, or from eight on with a wider interval.
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
    strict.stages.push_back(std::numeric_limits<int>::max()); // undecided pairs are too noisy, not the same
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

  bool accept(Measurement measurement) {
    outcome_.measurement = std::move(measurement);
    return true;
  }

  /// A claimed gain must also be visible from outside.
  Result<void> audit() {
    if (!outcome_.measurement || outcome_.measurement->comparison != Comparison::Faster)
      return {};
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      std::string problem = TRY(auditProgram(i));
      outcome_.isAuditFault = outcome_.rejection.empty() && !problem.empty();
      if (outcome_.isAuditFault)
        outcome_.rejection = std::move(problem);
      if (!outcome_.rejection.empty() || !outcome_.undecided.empty()) {
        outcome_.measurement.reset();
        return {};
      }
    }
    return {};
  }

  /// Returns empty if the gain is visible from outside.
  Result<std::string> auditProgram(std::size_t i) {
    std::vector<CpuAccount> reference, candidate;
    for (const MeasuredPair &pair : pairs_) {
      reference.push_back(pair.reference[i].account);
      candidate.push_back(pair.candidate[i].account);
    }
    if (!auditGain(reference, candidate, facts_[i].cpuShare, speedupOf(i)).empty()) {
      const std::string hidden = TRY(mostOfFive([&] { return freshPair(i, kMinTimeSeconds); }));
      if (!hidden.empty())
        return hidden;
    }
    return decideCpu(reference, candidate, facts_[i].pausedPerIteration, kMinTimeSeconds,
                     [&](double minTime) { return freshPair(i, minTime); });
  }

  /// Returns the median gain of a program's only number; 1 if it is a Google Benchmark.
  double speedupOf(std::size_t i) const {
    if (facts_[i].printed.empty())
      return 1;
    const std::string &name = facts_[i].names.front();
    std::vector<double> ratios;
    for (const MeasuredPair &pair : pairs_)
      ratios.push_back(pair.reference[i].report.at(name).cpuNs.front() /
                       pair.candidate[i].report.at(name).cpuNs.front());
    return median(std::move(ratios));
  }

  /// Audits one fresh pair; empty also when the candidate's process failed.
  Result<std::string> freshPair(std::size_t i, double referenceMinTime) {
    const int usual = facts_[i].repetitions, repetitions = repetitionsForAudit(usual, facts_[i].seconds / usual);
    std::vector<CpuAccount> accounts;
    for (const bool candidate : {false, true}) {
      std::optional<BenchmarkSample> sample =
          TRY(runProgram(i, candidate, repetitions, candidate ? kMinTimeSeconds : referenceMinTime));
      if (!sample)
        return std::string();
      accounts.push_back(sample->account);
    }
    const std::span<const CpuAccount> reference{&accounts[0], 1}, candidate{&accounts[1], 1};
    if (std::string hidden = auditGain(reference, candidate, facts_[i].cpuShare, speedupOf(i)); !hidden.empty())
      return hidden;
    return auditCpu(reference, candidate, facts_[i].pausedPerIteration, kMinTimeSeconds, SearchDoubt::Allowed);
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
  std::vector<double> slowdown_; ///< of each program: the reference's slowest process here, in its usual times
  std::mt19937_64 random_;
  std::vector<MeasuredPair> pairs_;
  std::size_t lastQuiet_ = 0;
  BenchmarkOutcome outcome_;
};

} // namespace

Result<BenchmarkOutcome> measure(const RunContext &context, const BenchmarkRequest &request,
                                 const BenchmarkFacts &facts) {
  const LockFile lock = TRY(lockMeasuring(request.lockFile, context.cancelled));
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
    pair += 2 * program.seconds / std::max(1.0, program.wallPerCpu); // without what else ran when it was learnt
  return std::max(kDecisionSeconds, kPairsInAnyCase * pair);
}

} // namespace agentic
