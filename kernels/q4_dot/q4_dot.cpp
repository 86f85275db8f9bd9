#include "q4_dot.h"

#include <agentic_kernel.h>
#include <cstring>

namespace quant {

/// Exact for every half: normal, subnormal, zero, infinity and NaN.
static float halfToFloat(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t bits = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112u) << 23) | (mantissa << 13);
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

AGENTIC_KERNEL
AGENTIC_IN(weights, blocks)
AGENTIC_IN(values, blocks)
AGENTIC_TOLERANCE(relative 1e-5)
float dotQ4(const BlockQ4 *weights, const BlockQ8 *values, std::size_t blocks) {
  float total = 0.0f;
  for (std::size_t b = 0; b < blocks; ++b) {
    int sum = 0;
    for (std::size_t i = 0; i < kBlockSize / 2; ++i) {
      const int low = (weights[b].nibbles[i] & 0x0f) - 8;
      const int high = (weights[b].nibbles[i] >> 4) - 8;
      sum += low * values[b].values[i] + high * values[b].values[i + kBlockSize / 2];
    }
    total += static_cast<float>(sum) * halfToFloat(weights[b].scale) * halfToFloat(values[b].scale);
  }
  return total;
}

} // namespace quant
