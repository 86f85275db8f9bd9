#include "tool/evaluate/differential/shape_timing.h"

#include "tool/evaluate/benchmark/benchmark_process.h"
#include "tool/evaluate/differential/generated_calls.h"
#include "tool/evaluate/differential/timed_calls.h"

#include <algorithm>
#include <random>

namespace agentic {
namespace {

constexpr double kSlowerLimit = 0.03;
constexpr std::size_t kLeastShare = 8;

class ShapeTimer {
public:
  ShapeTimer(const ReplayContext &context, const ShapeTimingRequest &request)
      : context_(context), request_(request), random_(request.seed),
        calls_(context, {request.baseline, request.candidate}, request.directory + "/shapes") {}

  Result<ShapeTimings> run() {
    ShapeTimings timings;
    timings.none = choose();
    if (!timings.none.empty())
      return timings;
    const LockFile lock = TRY(lockMeasuring("", context_.cancelled));
    TRY(calls_.keepWhatTheBaselineDoes());
    if (calls_.size() == 0) {
      timings.none = "the unchanged kernel survives no other shape";
      return timings;
    }
    std::optional<Measurement> decided;
    while (!decided) {
      TRY(calls_.runPair(random_() >> 63));
      decided = combine(calls_.measurements(), request_.rule, kSlowerLimit);
    }
    timings.shapes = static_cast<int>(calls_.size());
    for (const BenchmarkMeasurement &shape : decided->benchmarks)
      if (shape.comparison == Comparison::Slower && shape.speedup.ratio < 1 - kSlowerLimit)
        timings.slower.push_back(shape.speedup);
    return timings;
  }

private:
  /// Empty, or why there is nothing to time.
  std::string choose() {
    std::vector<PlannedCall> benchmarked;
    std::size_t smallest = kLargestTimedCall;
    for (const RecordedCall &call : *request_.recorded)
      if (call.header.isBenchmark && payloadBytes(call) <= kLargestTimedCall) {
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
                                              .byteLimit = kLargestTimedCall,
                                              .isNeighbour = true});
    if (!generated.none.empty())
      return generated.none;
    for (PlannedCall &call : generated.calls)
      if (static_cast<int>(calls_.size()) < request_.shapes && payloadBytes(call.call) * kLeastShare >= smallest)
        calls_.add(std::move(call));
    return calls_.size() == 0 ? "no other shape has enough work" : std::string();
  }

  const ReplayContext &context_;
  const ShapeTimingRequest &request_;
  std::mt19937_64 random_;
  TimedCalls calls_;
};

} // namespace

Result<ShapeTimings> timeShapes(const ReplayContext &context, const ShapeTimingRequest &request) {
  return ShapeTimer(context, request).run();
}

} // namespace agentic
