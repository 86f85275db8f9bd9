#include "tool/model/figures.h"

#include "tool/base/money.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace agentic {
namespace {

constexpr double kMostSeconds = 1e9, kMostNanoseconds = 1e18, kMostRatio = 1e9;

/// Returns whether a measurement can have this value; only a damaged journal holds others.
bool isKnown(double value, double most) {
  return std::isfinite(value) && std::abs(value) <= most;
}

} // namespace

std::string clockText(double seconds) {
  if (!isKnown(seconds, kMostSeconds))
    return "unknown";
  const auto whole = seconds > 0 ? static_cast<long>(seconds) : 0;
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string seconds(double value) {
  return value < 99.95 ? fmt::format("{:.1f} s", value) : clockText(value);
}

std::string nanoseconds(double value) {
  if (!isKnown(value, kMostNanoseconds))
    return "unknown";
  static constexpr std::array kUnits = {"ns", "us", "ms", "s"};
  std::size_t unit = 0;
  // 999.5 of a unit rounds to 1000 in three digits, which is 1.00 of the next unit.
  for (; unit + 1 < kUnits.size() && value >= 999.5; ++unit)
    value /= 1000;
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, kUnits[unit]);
}

std::string ratioText(double ratio) {
  return isKnown(ratio, kMostRatio) ? fmt::format("{:.2f}x", ratio) : "unknown";
}

std::string intervalText(const Speedup &speedup) {
  return speedup.isConfirmed ? fmt::format("[{:.2f}, {:.2f}]", speedup.low, speedup.high) : std::string();
}

std::string ratioText(const Speedup &speedup) {
  return ratioText(speedup.ratio) + " " + (speedup.isConfirmed ? intervalText(speedup) : "(estimate)");
}

std::string endToEndText(const EndToEnd &application) {
  if (application.outcome == EndToEndOutcome::NotMeasured)
    return "not measured: " + application.reason;
  if (application.outcome == EndToEndOutcome::Failed)
    return "failed: " + application.reason;
  std::string text = ratioText(application.speedup);
  if (application.outcome == EndToEndOutcome::NoChange)
    text = "no measurable change " + intervalText(application.speedup);
  else if (application.outcome == EndToEndOutcome::Slower)
    text += ", slower for sure";
  text += fmt::format(" ({} of '{}' in {} pairs; the original differs from itself by up to {:.1f} %",
                      application.metric, application.application, application.pairs, 100 * (application.spread - 1));
  if (application.kernelShare >= 0)
    text += fmt::format("; the kernel makes {:.0f} % of it", 100 * application.kernelShare);
  return text + ")";
}

std::string tokensText(std::int64_t tokens) {
  // 999,950 rounds to 1000.0 thousand in one digit, which is 1.0 million.
  if (tokens >= 999'950)
    return fmt::format("{:.1f}M", static_cast<double>(tokens) / 1e6);
  if (tokens >= 1000)
    return fmt::format("{:.1f}k", static_cast<double>(tokens) / 1e3);
  return std::to_string(tokens);
}

std::string tokensText(std::int64_t in, std::int64_t out) {
  return tokensText(in) + " tokens in, " + tokensText(out) + " out";
}

std::string callsText(const CallTotals &calls) {
  if (calls.calls == 0)
    return {};
  std::string text = fmt::format("{} ({} answered) in {}", calls.calls, calls.answered, seconds(calls.seconds));
  if (calls.inputTokens + calls.outputTokens > 0)
    text += ", " + tokensText(calls.inputTokens, calls.outputTokens);
  if (calls.usd > 0)
    text += ", " + usdText(calls.usd);
  if (calls.wattHours > 0)
    text += fmt::format(", {:.2f} Wh", calls.wattHours);
  return text;
}

} // namespace agentic
