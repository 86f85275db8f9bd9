#include "tool/agent/spending.h"

#include "tool/base/money.h"
#include "tool/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace agentic {
Prices pricesOf(const ModelFacts &facts) {
  if (facts.isLocal)
    return {[](std::int64_t, std::int64_t) { return std::optional(0.0); },
            [](const ChatUsage &) { return std::optional(0.0); }, "nobody bills for it"};
  if (!facts.inputUsd || !facts.outputUsd)
    return {[](std::int64_t, std::int64_t) { return std::optional<double>(); },
            [](const ChatUsage &) { return std::optional<double>(); }, "no price is known"};
  const double input = *facts.inputUsd, output = *facts.outputUsd;
  const double read = facts.cacheReadUsd.value_or(input), write = facts.cacheWriteUsd.value_or(input);
  return {[=](std::int64_t in, std::int64_t out) {
            return std::optional(double(in) * std::max({input, read, write}) + double(out) * output);
          },
          [=](const ChatUsage &usage) -> std::optional<double> {
            if (!usage.isReported)
              return std::nullopt;
            return double(usage.freshInput) * input + double(usage.cachedInput) * read +
                   double(usage.cacheWrite) * write + double(usage.output) * output;
          },
          "listed by the server"};
}

double Spending::wattHours(double seconds, std::optional<double> joules) const {
  if (!limits_.isLocal)
    return 0;
  return (limits_.watts > 0 ? limits_.watts * seconds : joules.value_or(0)) / 3600;
}

bool Spending::isBeyondElectricity(double reservedUsd) const {
  return limits_.isLocal &&
         nanoUsd(reservedUsd) > nanoUsd(roundedUpUsd(electricityUsd(wattHours(limits_.callSeconds))));
}

std::optional<double> Spending::worstUsd(std::size_t bodyBytes, int maxOutputTokens) const {
  const std::optional<double> billed =
      prices_.worstUsd ? prices_.worstUsd(static_cast<std::int64_t>(bodyBytes), maxOutputTokens) : std::nullopt;
  if (!billed || !std::isfinite(*billed) || *billed < 0 || isElectricityUnbounded())
    return std::nullopt;
  return roundedUpUsd(*billed + electricityUsd(wattHours(limits_.callSeconds)));
}

std::expected<double, std::string> Spending::admit(double spentUsd, std::size_t bodyBytes, int maxOutputTokens,
                                                   double leastUsd) const {
  const std::optional<double> worst = worstUsd(bodyBytes, maxOutputTokens);
  if (!worst && !limits_.allowUnknownPrice && isElectricityUnbounded())
    return std::unexpected("nothing says what this machine draws at most, so --budget-usd could not be kept; give "
                           "--watts with --price-per-kwh, or --allow-unknown-price");
  if (!worst && !limits_.allowUnknownPrice)
    return std::unexpected("no price of this model is known, so --budget-usd could not be kept; give prices, or "
                           "--allow-unknown-price");
  const double reserved = std::max(worst.value_or(0), leastUsd);
  const double budget = std::isfinite(limits_.budgetUsd) ? std::max(0.0, limits_.budgetUsd) : 0;
  if (nanoUsd(spentUsd) + nanoUsd(reserved) > nanoUsd(budget))
    return std::unexpected(fmt::format("the dollar budget is spent: {} of {}, and the next call may cost {}",
                                       usdText(spentUsd), usdText(budget), usdText(reserved)));
  return reserved;
}

CallCost Spending::cost(const ChatUsage &usage, double seconds, double reservedUsd,
                        std::optional<double> joules) const {
  CallCost cost{.wattHours = wattHours(seconds, joules)};
  const std::optional<double> priced = prices_.costUsd ? prices_.costUsd(usage) : std::nullopt;
  if (usage.costUsd && *usage.costUsd >= 0)
    cost.usd = *usage.costUsd, cost.source = "reported by the provider";
  else if (usage.costUsd && reservedUsd > 0)
    return {reservedUsd, "worst case: the cost that was reported is none", cost.wattHours};
  else if (isBeyondElectricity(reservedUsd))
    return {reservedUsd, "worst case: it reported costs before, and none of this call", cost.wattHours};
  else if (priced && *priced >= 0)
    cost.usd = *priced, cost.source = prices_.source;
  else if (reservedUsd > 0)
    return {reservedUsd, "worst case: no usage was reported", cost.wattHours};
  else
    cost.source = "unknown";
  if (limits_.isLocal && limits_.usdPerKwh > 0)
    cost.usd += electricityUsd(cost.wattHours), cost.source = "electricity";
  cost.usd = roundedUpUsd(cost.usd);
  return cost;
}

CallCost Spending::costOfFailure(const ChatError &error, double seconds, double reservedUsd,
                                 std::optional<double> joules) const {
  const double hours = wattHours(seconds, joules);
  if (error.maybeBilled && (!limits_.isLocal || isBeyondElectricity(reservedUsd)))
    return {reservedUsd, "worst case: it may have been billed", hours};
  if (limits_.isLocal)
    return {roundedUpUsd(electricityUsd(hours)), limits_.usdPerKwh > 0 ? "electricity" : "nobody bills for it", hours};
  return {0, "not billed"};
}

} // namespace agentic
