#include "tool/evaluate/benchmark/claim.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr double kSmallGain = 1.05, kHugeGain = 10;

} // namespace

ClaimNeeds claimNeeds(const Measurement &confirmed, std::span<const CompulsoryTraffic> traffic,
                      const Roofline *roofline) {
  ClaimNeeds needs;
  needs.otherLayouts = confirmed.speedup.ratio < kSmallGain;
  double most = confirmed.speedup.ratio;
  for (const BenchmarkMeasurement &benchmark : confirmed.benchmarks)
    most = std::max(most, benchmark.speedup.ratio); // the mean may hide one of several
  if (most > kHugeGain)
    needs.review.push_back(fmt::format("claim above {:.0f}x", kHugeGain));
  for (const CompulsoryTraffic &call : traffic) {
    if (!roofline || roofline->levels.empty() || call.bytes <= 0 || call.ns <= 0)
      continue;
    const BandwidthShare share = bandwidthShare(*roofline, call.bytes, call.ns);
    if (share.percent <= 100)
      continue;
    needs.review.push_back(fmt::format("claim above bandwidth ({:.0f} % of what {} can move)", share.percent,
                                       share.level == "memory" ? "memory" : "the " + share.level + " cache"));
    break;
  }
  needs.secondConfirmation = !needs.review.empty();
  return needs;
}

std::string claimProblem(std::span<const FurtherConfirmation> confirmations) {
  for (const FurtherConfirmation &confirmation : confirmations) {
    if (!confirmation.measurement)
      return "measured " + confirmation.what + ": " + confirmation.problem;
    if (confirmation.measurement->comparison != Comparison::Faster)
      return "not confirmed when measured " + confirmation.what + ": " + confirmation.measurement->reason;
  }
  return {};
}

Measurement weakest(const Measurement &confirmed, std::span<const FurtherConfirmation> confirmations) {
  const Measurement *least = &confirmed;
  for (const FurtherConfirmation &confirmation : confirmations)
    if (confirmation.measurement && confirmation.measurement->speedup.ratio < least->speedup.ratio)
      least = &*confirmation.measurement;
  return *least;
}

std::string belowLimit(const PolicyLimits &limits, const Speedup &speedup) {
  if (limits.minSpeedup <= 0 || speedup.ratio >= limits.minSpeedup)
    return {};
  return fmt::format("{:.2f} times as fast, and the project asks for {:.2f} (limits.min_speedup in {})", speedup.ratio,
                     limits.minSpeedup, kPolicyFile);
}

std::vector<std::string> reviewNotes(const ClaimNeeds &needs) {
  std::vector<std::string> notes;
  for (const std::string &reason : needs.review)
    notes.push_back(reason + ": confirmed twice");
  return notes;
}

} // namespace agentic
