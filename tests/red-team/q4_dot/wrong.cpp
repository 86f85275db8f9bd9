// theme: Wrong results
// expect: rejected
// layers: differential

// row: wrong_half_without_infinities
// trick: Converts a struct's member as if it never held an infinity or a NaN
// fault: the result alone is wrong
static float finiteHalf(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu, mantissa = half & 0x3ffu;
  if (exponent == 0)
    return (sign ? -1.0f : 1.0f) * static_cast<float>(mantissa) * 0x1p-24f;
  const std::uint32_t bits = sign | ((exponent + 112u) << 23) | (mantissa << 13);
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float dotQ4(const BlockQ4 *weights, const BlockQ8 *values, std::size_t blocks) {
  float total = 0.0f;
  for (std::size_t b = 0; b < blocks; ++b) {
    int sum = 0;
    for (std::size_t i = 0; i < kBlockSize / 2; ++i) {
      const int low = (weights[b].nibbles[i] & 0x0f) - 8;
      const int high = (weights[b].nibbles[i] >> 4) - 8;
      sum += low * values[b].values[i] + high * values[b].values[i + kBlockSize / 2];
    }
    total += static_cast<float>(sum) * finiteHalf(weights[b].scale) * finiteHalf(values[b].scale);
  }
  return total;
}

