#include "tool/cli/suite_kernel.h"

#include "tool/cli/common.h"
#include "tool/cli/run_console.h"
#include "tool/cli/suite_promises.h"
#include "tool/evaluate/benchmark/experts.h"
#include "tool/evaluate/insight/vectorizer_remarks.h"
#include "tool/report/suite_reason.h"
#include "tool/search/rejections.h"
#include "tool/search/start_state.h"
#include "tool/search/stop_reason.h"

namespace agentic {
namespace {

/// Returns each benchmark's time per call: the winner's, or the baseline's without a winner.
std::map<std::string, double> bestTimes(const Measurement *measurement, const ReferenceTimes &references) {
  std::map<std::string, double> times;
  if (measurement)
    for (const BenchmarkMeasurement &benchmark : measurement->benchmarks)
      times[benchmark.benchmark] = benchmark.candidateNs;
  else
    for (const auto &[name, entry] : references.kernel)
      times[name] = entry.ns;
  return times;
}

/// Returns the share of the benchmark that is nearest to the bound.
std::optional<BandwidthShare> nearestToBound(const std::map<std::string, double> &times,
                                             const ReferenceTimes &references, const Roofline &roofline) {
  std::optional<BandwidthShare> nearest;
  for (const auto &[name, ns] : times)
    if (const auto entry = references.kernel.find(name); entry != references.kernel.end() && entry->second.bytes > 0) {
      const BandwidthShare share = bandwidthShare(roofline, entry->second.bytes, ns);
      if (!nearest || share.percent > nearest->percent)
        nearest = share;
    }
  return nearest;
}

std::optional<double> arithmeticShare(const std::map<std::string, double> &times, const ReferenceTimes &references,
                                      const Roofline &roofline) {
  std::optional<double> most;
  for (const auto &[name, ns] : times)
    if (const auto entry = references.kernel.find(name);
        entry != references.kernel.end() && entry->second.operations > 0)
      most = std::max(most.value_or(0), 100 * entry->second.operations / (ns * 1e-9) / roofline.flopsPerSecond);
  return most;
}

class SuiteKernel {
public:
  SuiteKernel(Console &console, const OptimizedKernel &run, const Roofline *roofline)
      : console_(console), run_(run), roofline_(roofline) {}

  SuiteRow row() {
    const Measurement *measurement = run_.measurement();
    row_.kernel = run_.kernel;
    row_.correct = true;
    row_.improved = measurement != nullptr;
    row_.speedup = measurement ? measurement->speedup : Speedup{.isConfirmed = true}; // the baseline beside itself
    row_.baselineNs = run_.baselineNs();
    row_.bestNs = measurement ? measurement->candidateNs : row_.baselineNs;
    row_.candidates = run_.outcome.iterations;
    row_.seconds = run_.wallSeconds;
    if (measurement)
      row_.origin = run_.outcome.best->origin;
    if (run_.evaluator->measuredOn().empty())
      compare(measurement);
    if (!measurement)
      row_.reason = reason();
    return std::move(row_);
  }

private:
  /// Values that cannot be measured stay empty: the search's own result counts without them.
  void compare(const Measurement *measurement) {
    console_.note("  measuring what the machine and the experts can do");
    const StageFacts facts = run_.evaluator->stageFacts();
    ReferenceRequest request{.programs = &facts.benchmarkPrograms,
                             .filter = run_.evaluator->manifest().benchmarkFilter,
                             .facts = &facts.benchmarks};
    auto references = measureReferences(facts.context, request);
    if (!references) {
      console_.warn(references.error().message);
      return;
    }
    for (const std::string &problem : references->problems)
      console_.warn(problem);
    const auto times = bestTimes(measurement, *references);
    if (auto expert = compareWithExperts(times, references->experts)) {
      row_.expertPercent = expert->percent;
      row_.expert = expert->libraries;
    }
    if (!roofline_)
      return;
    if (auto share = nearestToBound(times, *references, *roofline_)) {
      row_.bandwidthPercent = share->percent;
      row_.memoryLevel = share->level;
    }
    row_.arithmeticPercent = arithmeticShare(times, *references, *roofline_);
  }

  std::string reason() const {
    NothingGained facts{.compiler = familyName(run_.evaluator->compiler().family),
                        .bandwidthPercent = row_.bandwidthPercent,
                        .memoryLevel = row_.memoryLevel,
                        .candidates = run_.outcome.iterations,
                        .stopped = reasonAndRemedy(run_.outcome, run_.budget->moreTime()),
                        .agentNote = run_.outcome.agentNote};
    if (auto record = readRun(run_.runDirectory)) {
      for (const Attempt &attempt : record->attempts) {
        const Evaluation &evaluation = attempt.evaluation;
        facts.sameCode += !evaluation.sameCodeAs.empty();
        if (evaluation.sameCodeAs.empty() && evaluation.verdict == Verdict::Rejected)
          ++facts.rejected[rejectedBy(evaluation)];
      }
      for (const auto &[candidate, evaluation] : record->refused)
        ++facts.rejected[rejectedBy(evaluation)];
    }
    const Evaluator &evaluator = *run_.evaluator;
    if (auto loops = askVectorizer(evaluator.spec(), evaluator.manifest(), evaluator.compiler(),
                                   evaluator.stageFacts().context)) {
      facts.loops = loops->loops;
      facts.vectorizedLoops = loops->vectorized;
    }
    return whyNothingGained(facts);
  }

  Console &console_;
  const OptimizedKernel &run_;
  const Roofline *roofline_;
  SuiteRow row_;
};

SuiteRow failedRow(const OptimizedKernel &run, const Error &error) {
  SuiteRow row;
  row.kernel = run.kernel;
  row.candidates = run.outcome.iterations;
  row.seconds = run.wallSeconds;
  row.reason = "failed: " + error.message;
  return row;
}

} // namespace

std::optional<SuiteResult> suiteKernel(Console &console, const OptimizeOptions &options, const Roofline *roofline,
                                       bool explains) {
  OptimizedKernel run;
  RunConsole view(console);
  if (auto done = optimizeKernel(view, surroundings(), options, run); !done) {
    if (done.error().kind == ErrorKind::Interrupted)
      return std::nullopt;
    console.error(done.error());
    return SuiteResult{.row = failedRow(run, done.error())};
  }
  if (run.outcome.reason == StopReason::Interrupted)
    return std::nullopt;
  if (!run.evaluator->isTimed())
    return SuiteResult{
        .row = failedRow(run, Error{ErrorKind::User, "its level is only emulated here, so nothing was measured", ""})};
  SuiteResult result{SuiteKernel(console, run, roofline).row(), run.evaluator->measuredOn()};
  if (explains)
    if (auto record = readRun(run.runDirectory)) {
      RunState state = stateAtTheStart(*run.evaluator);
      state.attempts = std::move(record->attempts);
      result.row.promises = promisesOf(state);
    }
  return result;
}

} // namespace agentic
