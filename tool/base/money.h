// Amounts of money: dollars as double, exact to a billionth. Pure. An amount above kMostUsd and a value that is no
// number count as kMostUsd: an amount never wraps around and never becomes small.
#pragma once

#include <cstdint>
#include <string>

namespace agentic {

inline constexpr double kMostUsd = 1e9;       ///< limit of one amount and of a sum
inline constexpr double kMostBudgetUsd = 1e6; ///< limit of a budget; up to it, sums are exact

/// Converts to billionths of a dollar, in which sums are exact.
std::int64_t nanoUsd(double usd);

/// Rounds up to the next billionth; returns 0 for a negative amount.
double roundedUpUsd(double usd);

/// Adds two amounts exactly.
double sumUsd(double a, double b);

/// Formats an amount: "$1.20", "$0.0034"; "unknown" for an amount that no bill can state.
std::string usdText(double usd);

} // namespace agentic
