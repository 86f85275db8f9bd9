#include "tool/report/figures.h"

#include "tool/base/money.h"

#include <fmt/format.h>

namespace agentic {

std::string seconds(double value) {
  if (value >= 100)
    return fmt::format("{}:{:02}", static_cast<long>(value) / 60, static_cast<long>(value) % 60);
  return fmt::format("{:.1f} s", value);
}

std::string nanoseconds(double value) {
  if (value >= 1e9)
    return fmt::format("{:.3g} s", value / 1e9);
  if (value >= 1e6)
    return fmt::format("{:.3g} ms", value / 1e6);
  if (value >= 1e3)
    return fmt::format("{:.3g} us", value / 1e3);
  return fmt::format("{:.3g} ns", value);
}

std::string ratioText(const Speedup &speedup) {
  return fmt::format("{:.2f}x [{:.2f}, {:.2f}]", speedup.ratio, speedup.low, speedup.high);
}

std::string tokensText(std::int64_t in, std::int64_t out) {
  return fmt::format("{} tokens in, {} out", in, out);
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
