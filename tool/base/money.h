// Amounts of money: dollars as double, exact to a billionth. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace agentic {

/// In billionths, in which sums are exact.
std::int64_t nanoUsd(double usd);

/// Up to the next billionth; 0 of what is negative or no number.
double roundedUpUsd(double usd);

/// Sum of two such amounts, without an error of its own.
double sumUsd(double a, double b);

/// "$1.20", "$0.0034"; "unknown" of what no bill can say.
std::string usdText(double usd);

} // namespace agentic
