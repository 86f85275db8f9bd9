#include "tool/evaluate/benchmark/end_to_end.h"

#include "tool/evaluate/benchmark/claim_interval.h"
#include "tool/evaluate/benchmark/pair_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace agentic {
namespace {

constexpr int kLeastPairs = 8, kMostPairs = 20;
constexpr double kSeconds = 6, kNever = 100,
                 kRepeated = 2; // a disturbed pair is measured again, once on average at most

/// Pairs of `request.programs` with `request.candidatePrograms`; nullopt: `request`'s second side failed, and `result`
/// says how.
Result<std::optional<std::vector<Pair>>> pairsOf(const RunContext &context, BenchmarkRequest request, int pairs,
                                                 const BenchmarkFacts &facts, EndToEnd &result) {
  request.rule.stages = {pairs};
  request.rule.minimumPairs = pairs;
  request.seed = std::random_device()();
  BenchmarkOutcome outcome = TRY(measure(context, request, facts));
  if (outcome.measurement)
    return std::optional(std::move(outcome.measurement->benchmarks.front().pairs));
  result.outcome = outcome.isAuditFault ? EndToEndOutcome::NotMeasured : EndToEndOutcome::Failed;
  result.reason = outcome.rejection + outcome.undecided;
  return std::optional<std::vector<Pair>>();
}

/// The user's machine or application did not allow a measurement; other errors are passed on.
Result<EndToEnd> notMeasured(EndToEnd result, const Error &error) {
  if (error.kind != ErrorKind::User)
    return std::unexpected(error);
  result.outcome = EndToEndOutcome::NotMeasured;
  result.reason = error.message;
  return result;
}

} // namespace

void judgeEndToEnd(std::span<const Pair> same, std::span<const Pair> pairs, double confidence, EndToEnd &result) {
  const Speedup original = claimedSpeedup(effectOf(same).ratios, confidence);
  const double spread = std::max(std::abs(std::log(original.low)), std::abs(std::log(original.high)));
  Speedup speedup = claimedSpeedup(effectOf(pairs).ratios, confidence);
  speedup.low = std::min(speedup.low, speedup.ratio * std::exp(-spread));
  speedup.high = std::max(speedup.high, speedup.ratio * std::exp(spread));
  result.speedup = speedup;
  result.spread = std::exp(spread);
  result.pairs = int(pairs.size());
  result.outcome = speedup.low > 1    ? EndToEndOutcome::Faster
                   : speedup.high < 1 ? EndToEndOutcome::Slower
                                      : EndToEndOutcome::NoChange;
}

int endToEndPairs(const BenchmarkFacts &application) {
  return int(std::clamp(kSeconds / std::max(1e-3, pairSeconds(application)), double(kLeastPairs), double(kMostPairs)));
}

double endToEndSeconds(const BenchmarkFacts &application, int pairs) {
  return 2 * pairs * pairSeconds(application);
}

Result<EndToEnd> measureEndToEnd(const RunContext &context, const EndToEndRequest &request) {
  const BenchmarkProgramFacts &facts = request.facts->front();
  EndToEnd result;
  result.application = facts.target;
  result.metric = request.original->front().metric.unit;
  result.printed = facts.printed;
  result.kernelShare = facts.kernelShare;
  int pairs = endToEndPairs(*request.facts);
  const auto fits = [&](int count) {
    return !request.secondsLeft || kRepeated * endToEndSeconds(*request.facts, count) <= *request.secondsLeft;
  };
  if (!fits(pairs))
    pairs = kLeastPairs;
  if (!fits(pairs)) {
    result.reason = fmt::format("'{}' takes {:.2g} s, so {} pairs and as many of the original with itself may take "
                                "{:.0f} s, and {:.0f} s of --max-total-seconds were left",
                                facts.target, facts.seconds, pairs, kRepeated * endToEndSeconds(*request.facts, pairs),
                                std::max(0.0, *request.secondsLeft));
    return result;
  }
  BenchmarkRequest same;
  same.programs = same.candidatePrograms = request.original;
  same.lockFile = request.lockFile;
  BenchmarkRequest both = same;
  same.rule.threshold = kNever; // the CPU audit asks for the grounds of a gain, and here is none
  both.candidatePrograms = request.variant;
  both.candidate = request.choice;
  auto originals = pairsOf(context, same, pairs, *request.facts, result);
  if (!originals)
    return notMeasured(std::move(result), originals.error());
  if (!*originals) { // the original itself failed, now and then
    result.outcome = EndToEndOutcome::NotMeasured;
    result.reason = "the original is not reliable: " + result.reason;
    return result;
  }
  auto measured = pairsOf(context, both, pairs, *request.facts, result);
  if (!measured)
    return notMeasured(std::move(result), measured.error());
  if (*measured)
    judgeEndToEnd(**originals, **measured, DecisionRule().confidence, result);
  return result;
}

} // namespace agentic
