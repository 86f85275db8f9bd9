#include "tool/evaluate/differential/value_timing.h"

#include "tool/base/clock.h"
#include "tool/evaluate/benchmark/benchmark_process.h"
#include "tool/evaluate/differential/timed_calls.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

namespace agentic {
namespace {

constexpr std::size_t kCalls = 4, kChanges = 3, kTries = 64;
constexpr int kPairs = 3;
constexpr double kMostSeconds = 4;

template <class Number> bool changeNumber(std::vector<std::byte> &bytes) {
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  const Number changed = number * Number(1 + 1.0 / 4096);
  if (!std::isfinite(changed) || changed == number)
    return false;
  std::memcpy(bytes.data(), &changed, sizeof changed);
  return true;
}

bool changeScalar(std::vector<std::byte> &bytes) {
  return bytes.size() == sizeof(float) ? changeNumber<float>(bytes)
                                       : bytes.size() == sizeof(double) && changeNumber<double>(bytes);
}

bool holdsNumbers(const GlueParameter &parameter, const RecordedArgument &argument) {
  const bool isRead = argument.header.role == wire::Role::In || argument.header.role == wire::Role::InOut;
  return isRead && parameter.element != GlueParameter::Element::Bytes && parameter.elementSize > 0 &&
         argument.bytes.size() >= 2 * parameter.elementSize;
}

/// The shortest time is the one that was disturbed least.
double ratioOf(const BenchmarkMeasurement &measurement) {
  double reference = std::numeric_limits<double>::max(), candidate = reference;
  for (const Pair &pair : measurement.pairs) {
    for (const double ns : pair.reference)
      reference = std::min(reference, ns);
    for (const double ns : pair.candidate)
      candidate = std::min(candidate, ns);
  }
  return reference / candidate;
}

} // namespace

std::vector<PlanPatch> slightChange(const RecordedCall &call, const GlueDescription &kernel, std::mt19937_64 &random) {
  std::vector<PlanPatch> patches;
  std::vector<std::size_t> arrays;
  for (std::size_t i = 0; i < call.arguments.size() && i < kernel.parameters.size(); ++i) {
    const RecordedArgument &argument = call.arguments[i];
    const GlueParameter &parameter = kernel.parameters[i];
    PlanPatch patch{i, 0, argument.bytes};
    if (argument.header.role == wire::Role::Value && parameter.element == GlueParameter::Element::Floating &&
        changeScalar(patch.bytes))
      patches.push_back(std::move(patch));
    else if (holdsNumbers(parameter, argument))
      arrays.push_back(i);
  }
  for (std::size_t attempt = 0; attempt < kTries && patches.empty() && !arrays.empty(); ++attempt) {
    const std::size_t i = arrays[random() % arrays.size()], size = kernel.parameters[i].elementSize;
    const std::vector<std::byte> &bytes = call.arguments[i].bytes;
    const std::size_t offset = random() % (bytes.size() / size - 1) * size;
    const auto first = bytes.begin() + std::ptrdiff_t(offset), second = first + std::ptrdiff_t(size);
    if (std::equal(first, second, second))
      continue;
    std::vector<std::byte> exchanged(second, second + std::ptrdiff_t(size));
    exchanged.insert(exchanged.end(), first, second);
    patches.push_back({i, offset, std::move(exchanged)});
  }
  return patches;
}

namespace {

/// A call of a benchmark, and what makes other ones of it.
struct ChangedCall {
  PlannedCall call;
  std::vector<std::vector<PlanPatch>> changes;

  /// `tag`: even for the call as it was recorded.
  void addTo(TimedCalls &calls, std::size_t tag, std::size_t mostChanges) const {
    for (std::size_t i = 0; i < std::min(mostChanges, changes.size()); ++i)
      calls.add(call, changes[i], tag + 1);
    calls.add(call, {}, tag);
  }
};

std::vector<ChangedCall> changedCalls(const ValueTimingRequest &request, std::mt19937_64 &random) {
  std::vector<ChangedCall> found;
  for (const RecordedCall &recorded : *request.recorded) {
    if (!recorded.header.isBenchmark || payloadBytes(recorded) > kLargestTimedCall || found.size() == kCalls)
      continue;
    ChangedCall changed{.call = {.call = recorded, .isHeldOut = false, .origin = {}}, .changes = {}};
    while (changed.changes.size() < kChanges) {
      std::vector<PlanPatch> patches = slightChange(recorded, *request.kernel, random);
      if (patches.empty())
        break;
      changed.changes.push_back(std::move(patches));
    }
    if (!changed.changes.empty())
      found.push_back(std::move(changed));
  }
  return found;
}

} // namespace

ValueTimingExtent extentFor(double seconds, std::size_t calls) {
  const double runs = kMostSeconds / std::max(seconds, 1e-3);
  if (runs >= 2 * (1 + kPairs))
    return {
        .calls = std::min(calls, static_cast<std::size_t>(runs / (1 + kPairs))), .changes = kChanges, .pairs = kPairs};
  return {.calls = 1, .changes = runs < 2 ? 1 : kChanges, .pairs = std::clamp(static_cast<int>(runs) - 1, 1, kPairs)};
}

Result<ValueTimings> timeOtherValues(const ReplayContext &context, const ValueTimingRequest &request) {
  std::mt19937_64 random(request.seed);
  const std::vector<ChangedCall> changed = changedCalls(request, random);
  if (changed.empty())
    return ValueTimings();
  const LockFile lock = TRY(lockMeasuring("", context.cancelled));
  const auto timed = [&](const ValueTimingExtent &extent) -> Result<TimedCalls> {
    TimedCalls calls(context, {request.baseline, request.candidate}, request.directory + "/values");
    for (std::size_t i = 0; i < extent.calls; ++i)
      changed[i].addTo(calls, 2 * i, extent.changes);
    TRY(calls.keepWhatTheBaselineDoes());
    return calls;
  };
  const double start = steadySeconds();
  TimedCalls first = TRY(timed({.calls = 1, .changes = kChanges}));
  const ValueTimingExtent extent = extentFor(steadySeconds() - start, changed.size());
  const bool isFirst = extent.calls == 1 && extent.changes == kChanges;
  TimedCalls calls = isFirst ? std::move(first) : TRY(timed(extent));
  for (int pair = 0; pair < extent.pairs && calls.size() > 0; ++pair)
    TRY(calls.runPair(random() >> 63));
  ValueTimings timings;
  std::map<std::size_t, double> own, others; // by call
  for (std::size_t i = 0; i < calls.size(); ++i) {
    double &best = (calls.tag(i) % 2 == 0 ? own : others)[calls.tag(i) / 2];
    best = std::max(best, ratioOf(calls.measurements()[i]));
  }
  for (const auto &[index, ratio] : own)
    if (const auto other = others.find(index);
        other != others.end() && (!timings.isKnown || ratio / other->second > timings.own / timings.others))
      timings = {ratio, other->second, true};
  return timings;
}

} // namespace agentic
