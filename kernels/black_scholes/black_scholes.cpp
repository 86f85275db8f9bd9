#include "black_scholes.h"

#include <agentic_kernel.h>
#include <cmath>
#include <numbers>

namespace finance {

static float normalDistribution(float x) {
  return 0.5f * std::erfc(-x / std::numbers::sqrt2_v<float>);
}

AGENTIC_KERNEL
AGENTIC_IN(spot, count) AGENTIC_IN(strike, count) AGENTIC_IN(years, count) AGENTIC_OUT(price, count)
AGENTIC_REQUIRES(volatility > 0)
AGENTIC_TOLERANCE(absolute 0.001)
AGENTIC_FP(finite)
void callPrices(const float *spot, const float *strike, const float *years, float *price, std::size_t count, float rate,
                float volatility) {
  for (std::size_t i = 0; i < count; ++i) {
    const float deviation = volatility * std::sqrt(years[i]);
    const float drift = (rate + 0.5f * volatility * volatility) * years[i];
    const float d1 = (std::log(spot[i] / strike[i]) + drift) / deviation;
    const float d2 = d1 - deviation;
    const float discounted = strike[i] * std::exp(-rate * years[i]);
    price[i] = spot[i] * normalDistribution(d1) - discounted * normalDistribution(d2);
  }
}

} // namespace finance
