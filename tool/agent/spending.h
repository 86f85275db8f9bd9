// What calls of a model may cost, and what they did cost.
//
// A call is sent only if what was spent, what is reserved and its own worst case fit into the budget; so the cap holds
// whatever happens afterwards. Amounts are rounded up to 1e-9 dollars, and sums of them are exact.
#pragma once

#include "tool/llm/chat.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>

namespace agentic {

/// Prices of one model. Both functions give nullopt where they do not know.
struct Prices {
  std::function<std::optional<double>(std::int64_t inputTokens, std::int64_t outputTokens)> worstUsd;
  std::function<std::optional<double>(const ChatUsage &usage)> costUsd;
  std::string source; ///< "listed by the server", "nobody bills for it"
};

/// From what the server lists; free for a local model.
Prices pricesOf(const ModelFacts &facts);

struct SpendingLimits {
  double budgetUsd = 5; ///< 0 = nothing may be spent
  bool allowUnknownPrice = false;
  bool isLocal = false;            ///< electricity is all it costs
  double watts = 0, usdPerKwh = 0; ///< of a local model's machine; watts 0: not known, and no worst case either
  double callSeconds = 1800;       ///< the longest call: the worst case of electricity
};

struct CallCost {
  double usd = 0;
  std::string source;   ///< "reported by the provider", …, "worst case: no usage was reported"
  double wattHours = 0; ///< 0 = not known
};

class Spending {
public:
  Spending(SpendingLimits limits, Prices prices) : limits_(limits), prices_(std::move(prices)) {}

  const SpendingLimits &limits() const { return limits_; }

  /// Worst case of a call: each byte of its body a token, and all the output it may make. nullopt: no price is known.
  std::optional<double> worstUsd(std::size_t bodyBytes, int maxOutputTokens) const;

  /// What to reserve for a call after `spentUsd`, reservations included; else why it must not be sent. `leastUsd`: what
  /// a call is known to cost although no price said so (a command that reports its costs, an unknown price).
  std::expected<double, std::string> admit(double spentUsd, std::size_t bodyBytes, int maxOutputTokens,
                                           double leastUsd = 0) const;

  /// Of an answered call: as the provider reports it, else by the prices, else its reservation; that, too, of a program
  /// that reported costs before and does not now. `joules`: what this machine's counters say, used where the user said
  /// no watts.
  CallCost cost(const ChatUsage &usage, double seconds, double reservedUsd,
                std::optional<double> joules = std::nullopt) const;

  /// Of one that failed: nothing if it cannot have been billed, else its reservation. Of a local one its electricity,
  /// unless more than that was reserved: it is a program that reports what it spends, and may have spent it.
  CallCost costOfFailure(const ChatError &error, double seconds, double reservedUsd,
                         std::optional<double> joules = std::nullopt) const;

private:
  double wattHours(double seconds, std::optional<double> joules = std::nullopt) const;
  bool isElectricityUnbounded() const { return limits_.isLocal && limits_.usdPerKwh > 0 && limits_.watts <= 0; }
  bool isBeyondElectricity(double reservedUsd) const;
  double electricityUsd(double wattHours) const { return wattHours / 1000 * limits_.usdPerKwh; }
  SpendingLimits limits_;
  Prices prices_;
};

} // namespace agentic
