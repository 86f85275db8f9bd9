#include "tool/evaluate/differential/shape_timing.h"

#include "tool/base/files.h"
#include "tool/evaluate/benchmark/benchmark_process.h"
#include "tool/evaluate/differential/generated_calls.h"

#include <algorithm>
#include <random>

namespace agentic {
namespace {

constexpr double kSecondsPerShape = 0.02, kTimeout = 60, kSlowerLimit = 0.03;
constexpr std::size_t kLargestCall = 64u << 20, kLeastShare = 8;

class ShapeTimer {
public:
  ShapeTimer(const ReplayContext &context, const ShapeTimingRequest &request)
      : context_(context), request_(request), random_(request.seed) {}

  Result<ShapeTimings> run() {
    ShapeTimings timings;
    timings.none = choose();
    if (!timings.none.empty())
      return timings;
    const LockFile lock = TRY(lockMeasuring("", context_.cancelled));
    TRY(keepWhatTheBaselineDoes());
    if (plan_.steps.empty()) {
      timings.none = "the unchanged kernel survives no other shape";
      return timings;
    }
    measurements_.resize(plan_.steps.size());
    std::optional<Measurement> decided;
    while (!decided) {
      const bool candidateFirst = random_() >> 63;
      for (bool isCandidate : {candidateFirst, !candidateFirst})
        TRY(runSide(isCandidate));
      decided = combine(measurements_, request_.rule, kSlowerLimit);
    }
    timings.shapes = static_cast<int>(plan_.steps.size());
    for (const BenchmarkMeasurement &shape : decided->benchmarks)
      if (shape.comparison == Comparison::Slower && shape.speedup.ratio < 1 - kSlowerLimit)
        timings.slower.push_back(shape.speedup);
    return timings;
  }

private:
  /// Empty, or why there is nothing to time.
  std::string choose() {
    std::vector<PlannedCall> benchmarked;
    std::size_t smallest = kLargestCall;
    for (const RecordedCall &call : *request_.recorded)
      if (call.header.isBenchmark && payloadBytes(call) <= kLargestCall) {
        smallest = std::min(smallest, payloadBytes(call));
        benchmarked.push_back({.call = call, .isHeldOut = false, .origin = {}});
      }
    if (benchmarked.empty())
      return "no call of a benchmark was recorded";
    GeneratedCalls generated = generateCalls({.contract = request_.contract,
                                              .parameters = &request_.kernel->parameters,
                                              .recorded = &benchmarked,
                                              .seed = request_.seed,
                                              .calls = 4 * request_.shapes,
                                              .byteLimit = kLargestCall,
                                              .isNeighbour = true});
    if (!generated.none.empty())
      return generated.none;
    for (PlannedCall &call : generated.calls) {
      if (static_cast<int>(plan_.steps.size()) == request_.shapes || payloadBytes(call.call) * kLeastShare < smallest)
        continue;
      PlanStep step;
      step.header.call = plan_.calls.size();
      step.header.slot = static_cast<std::uint32_t>(plan_.calls.size());
      step.header.layout = wire::Layout::AtBegin; // like an allocator's alignment
      step.header.prefill = wire::Prefill::Zeros;
      step.header.timeSeconds = kSecondsPerShape;
      step.header.dump = 0;
      plan_.steps.push_back(std::move(step));
      plan_.calls.push_back(std::move(call));
    }
    return plan_.steps.empty() ? "no other shape has enough work" : std::string();
  }

  Result<ReplayOutcome> replaySide(bool isCandidate) {
    return replay(context_, planFile_, plan_.steps.size(), isCandidate ? request_.candidate : request_.baseline,
                  kTimeout);
  }

  Result<void> keepWhatTheBaselineDoes() {
    planFile_ = request_.directory + "/shapes";
    while (!plan_.steps.empty()) {
      TRY(writeFileAtomic(planFile_, plan_.bytes()));
      ReplayOutcome outcome = TRY(replaySide(false));
      if (outcome.isComplete)
        break;
      const bool isFault = !outcome.steps.empty() && outcome.steps.back().header.status != wire::StepStatus::Done;
      const std::size_t failed = std::min(outcome.steps.size() - (isFault ? 1 : 0), plan_.steps.size() - 1);
      plan_.steps.erase(plan_.steps.begin() + std::ptrdiff_t(failed));
    }
    return {};
  }

  Result<void> runSide(bool isCandidate) {
    ReplayOutcome outcome = TRY(replaySide(isCandidate));
    if (!outcome.isComplete)
      return userError(std::string("timing other shapes ended early: the ") +
                           (isCandidate ? "candidate " : "unchanged kernel ") + outcome.message,
                       "run it again; if it stays, declare what calls fulfil with AGENTIC_REQUIRES");
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      std::vector<Pair> &pairs = measurements_[i].pairs;
      if (pairs.empty() || (!pairs.back().reference.empty() && !pairs.back().candidate.empty()))
        pairs.emplace_back();
      (isCandidate ? pairs.back().candidate : pairs.back().reference)
          .push_back(std::max(1e-3, 1e9 * outcome.steps[i].header.seconds));
    }
    return {};
  }

  const ReplayContext &context_;
  const ShapeTimingRequest &request_;
  std::mt19937_64 random_;
  Plan plan_;
  std::string planFile_;
  std::vector<BenchmarkMeasurement> measurements_;
};

} // namespace

Result<ShapeTimings> timeShapes(const ReplayContext &context, const ShapeTimingRequest &request) {
  return ShapeTimer(context, request).run();
}

} // namespace agentic
