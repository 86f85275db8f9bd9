#include "tool/base/money.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace agentic {
namespace {

constexpr double kNano = 1e9;

double bounded(double usd) {
  return std::isnan(usd) ? kMostUsd : std::clamp(usd, -kMostUsd, kMostUsd);
}

} // namespace

std::int64_t nanoUsd(double usd) {
  return std::llround(bounded(usd) * kNano);
}

double roundedUpUsd(double usd) {
  if (usd <= 0)
    return 0;
  // The product's own rounding must not add a unit to an amount that is a whole number of them.
  const double units = bounded(usd) * kNano, nearest = std::round(units);
  return (std::abs(units - nearest) < 1e-6 ? nearest : std::ceil(units)) / kNano;
}

double sumUsd(double a, double b) {
  return bounded(static_cast<double>(nanoUsd(a) + nanoUsd(b)) / kNano);
}

std::string usdText(double usd) {
  if (!std::isfinite(usd) || std::abs(usd) > 1e12)
    return "unknown";
  char text[64];
  std::snprintf(text, sizeof text, usd > 0 && usd < 0.1 ? "$%.4f" : "$%.2f", usd);
  return text;
}

} // namespace agentic
