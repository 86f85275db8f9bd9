// Prices of European call options.
#pragma once

#include <cstddef>

namespace finance {

/// price[i] = spot · N(d1) - strike · exp(-rate · years) · N(d2) for i < count (the formula of Black and Scholes), with
/// d1 = (ln(spot / strike) + (rate + volatility² / 2) · years) / (volatility · √years),
/// d2 = d1 - volatility · √years, and the normal distribution N(x) = erfc(-x / √2) / 2. spot and strike are prices > 0
/// in one currency, years > 0 is the time to expiry; rate (compounded continuously, may be negative) and volatility > 0
/// are per year, 0.05 for 5 %. All are finite. count may be 0; the arrays are disjoint. For prices from 1 to 200, years
/// from 0.01 to 5, rates within [-0.1, 0.2] and volatilities from 0.05 to 1 each result is within 0.001 of the exact
/// one.
///
/// This form is in: PARSEC's blackscholes (with a polynomial for N), the BlackScholes sample of the CUDA toolkit.
void callPrices(const float *spot, const float *strike, const float *years, float *price, std::size_t count, float rate,
                float volatility);

} // namespace finance
