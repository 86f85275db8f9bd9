#include "tool/evaluate/benchmark/physical_floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

constexpr double kDoubt = 2; ///< bandwidths are measured, on machines that others share

/// P(at least `changed` of `sampled` | each with probability `share`).
double tail(std::size_t changed, std::size_t sampled, double share) {
  double sum = 0;
  for (std::size_t i = changed; i <= sampled; ++i)
    sum +=
        std::exp(std::lgamma(double(sampled) + 1) - std::lgamma(double(i) + 1) - std::lgamma(double(sampled - i) + 1) +
                 double(i) * std::log(share) + double(sampled - i) * std::log1p(-share));
  return sum;
}

double leastSeconds(const BenchmarkCall &call, const Roofline &roofline) {
  return call.movedBytes / (kDoubt * roofline.levelFor(call.callBytes).bytesPerSecond);
}

} // namespace

double leastShare(std::size_t changed, std::size_t sampled) {
  constexpr double kAlpha = 0.05;
  if (changed == 0 || changed > sampled)
    return 0;
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (tail(changed, sampled, middle) < kAlpha ? low : high) = middle;
  }
  return low;
}

std::optional<Headroom> headroomOf(std::span<const BenchmarkCall> calls, const Roofline &roofline) {
  std::optional<Headroom> most;
  if (roofline.levels.empty())
    return most;
  for (const BenchmarkCall &call : calls) {
    if (call.movedBytes <= 0 || call.seconds <= 0)
      return std::nullopt;
    const double least = leastSeconds(call, roofline), speedup = call.seconds / least;
    if (!most || speedup > most->largestSpeedup)
      most = {speedup, call, least};
  }
  return most;
}

std::string headroomText(const std::optional<Headroom> &headroom) {
  if (!headroom)
    return "headroom: not known, since no recorded call shows which bytes its results depend on";
  return fmt::format("headroom: at most {:.0f} times as fast as the unchanged kernel: a call's results depend on at "
                     "least {:.0f} bytes, for which this machine takes {:.3g} us, and it takes {:.4g} us",
                     std::max(1.0, headroom->largestSpeedup), headroom->call.movedBytes, 1e6 * headroom->leastSeconds,
                     1e6 * headroom->call.seconds);
}

std::string beyondMachine(const Measurement &claim, std::span<const BenchmarkCall> calls, const Roofline &roofline) {
  const std::optional<Headroom> headroom = headroomOf(calls, roofline);
  if (!headroom)
    return {};
  const double most = std::max(kSuspiciousSpeedup, headroom->largestSpeedup);
  for (const BenchmarkMeasurement &benchmark : claim.benchmarks)
    if (benchmark.speedup.ratio > most)
      return fmt::format(
          "{} is claimed to be {:.0f} times as fast, and at most {:.0f} times is possible: a result "
          "depends on at least {:.0f} bytes, for which this machine takes {:.3g} us; the work is not done "
          "in the calls that are timed",
          benchmark.benchmark, benchmark.speedup.ratio, most, headroom->call.movedBytes, 1e6 * headroom->leastSeconds);
  return {};
}

} // namespace agentic
