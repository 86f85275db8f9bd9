// Dot product of a row quantised to 4 bits with a row quantised to 8 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quant {

constexpr std::size_t kBlockSize = 32;

/// Q4_0: weight i is (low nibble of nibbles[i] - 8) · scale, weight i + 16 is (high nibble of nibbles[i] - 8) · scale.
struct BlockQ4 {
  std::uint16_t scale; ///< IEEE 754 half precision
  std::uint8_t nibbles[16];
};

/// Q8_0: value i is values[i] · scale.
struct BlockQ8 {
  std::uint16_t scale; ///< IEEE 754 half precision
  std::int8_t values[32];
};

/// Sum over `blocks` blocks of 32 products. 0 for no blocks.
float dotQ4(const BlockQ4 *weights, const BlockQ8 *values, std::size_t blocks);

} // namespace quant
