// Amounts of money: dollars as double, exact to a billionth. Pure. What is larger than kMostUsd counts as that, and so
// does what is no number: an amount never wraps around, and never becomes small by being absurd.
#pragma once

#include <cstdint>
#include <string>

namespace agentic {

inline constexpr double kMostUsd = 1e9;       ///< of one amount and of a sum
inline constexpr double kMostBudgetUsd = 1e6; ///< of what may be asked for: up to there, sums are exact

/// In billionths, in which sums are exact.
std::int64_t nanoUsd(double usd);

/// Up to the next billionth; 0 of what is negative.
double roundedUpUsd(double usd);

/// Sum of two such amounts, without an error of its own.
double sumUsd(double a, double b);

/// "$1.20", "$0.0034"; "unknown" of what no bill can say.
std::string usdText(double usd);

} // namespace agentic
