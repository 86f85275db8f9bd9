// Computes the possible and the actual costs of calls of a model.
//
// A call is sent only if spent and reserved amounts and its own worst case fit into the budget; so the cap holds
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

/// Prices of one model. Both functions return nullopt for unknown prices.
struct Prices {
  std::function<std::optional<double>(std::int64_t inputTokens, std::int64_t outputTokens)> worstUsd;
  std::function<std::optional<double>(const ChatUsage &usage)> costUsd;
  std::string source; ///< "listed by the server", "nobody bills for it"
};

/// Returns the server's listed prices; free for a local model.
Prices pricesOf(const ModelFacts &facts);

struct SpendingLimits {
  double budgetUsd = 5; ///< 0 = nothing may be spent
  bool allowUnknownPrice = false;
  bool isLocal = false;            ///< electricity is the only cost
  double watts = 0, usdPerKwh = 0; ///< machine of a local model; watts 0: not known, and then no worst case either
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

  /// Returns the worst case of a call: each byte of its body a token, and the whole output limit. nullopt: no price is
  /// known.
  std::optional<double> worstUsd(std::size_t bodyBytes, int maxOutputTokens) const;

  /// Returns the amount to reserve for a call after `spentUsd`, reservations included; else why it must not be sent.
  /// `leastUsd`: the known minimum cost of a call without a price (a command that reports its costs, an unknown price).
  std::expected<double, std::string> admit(double spentUsd, std::size_t bodyBytes, int maxOutputTokens,
                                           double leastUsd = 0) const;

  /// Returns the cost of an answered call: as the provider reports it, else by the prices, else its reservation; also
  /// the reservation for a program that reported costs before and does not now. `joules`: from this machine's counters,
  /// used if the user gave no watts.
  CallCost cost(const ChatUsage &usage, double seconds, double reservedUsd,
                std::optional<double> joules = std::nullopt) const;

  /// Returns the cost of a failed call: nothing if the provider cannot have billed it, else its reservation. For a
  /// local model: its electricity, unless more than that was reserved: then it is a program that reports its spending,
  /// and may have spent it.
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
