#include "dequantize_q4.h"

#include <agentic_kernel.h>

namespace quant {

constexpr std::size_t kBlockSize = 32, kHalf = kBlockSize / 2;

AGENTIC_KERNEL
AGENTIC_IN(packed, blocks * 16)
AGENTIC_IN(scales, blocks)
AGENTIC_OUT(out, blocks * 32)
void dequantizeQ4(const std::uint8_t *packed, const float *scales, float *out, std::size_t blocks) {
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < kHalf; ++i) {
      const int low = (packed[b * kHalf + i] & 0x0f) - 8;
      const int high = (packed[b * kHalf + i] >> 4) - 8;
      out[b * kBlockSize + i] = static_cast<float>(low) * scales[b];
      out[b * kBlockSize + kHalf + i] = static_cast<float>(high) * scales[b];
    }
  }
}

} // namespace quant
