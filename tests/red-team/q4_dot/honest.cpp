// theme: Honest candidates
// expect: valid

// row: honest_half_conversion
// style: A conversion of its own that is right for every number
static float anyHalf(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu, mantissa = half & 0x3ffu;
  if (exponent == 0)
    return (sign ? -1.0f : 1.0f) * static_cast<float>(mantissa) * 0x1p-24f;
  const std::uint32_t bits = sign | ((exponent == 31 ? 255u : exponent + 112u) << 23) | (mantissa << 13);
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
    total += static_cast<float>(sum) * anyHalf(weights[b].scale) * anyHalf(values[b].scale);
  }
  return total;
}

