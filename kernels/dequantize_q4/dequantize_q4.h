// Weights of 4 bits back to floats.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quant {

/// For every block b of 32 weights and i < 16: out[32b + i] = (low four bits of packed[16b + i] - 8) · scales[b], and
/// out[32b + 16 + i] = (high four bits of packed[16b + i] - 8) · scales[b]. packed has 16 `blocks` bytes, scales
/// `blocks` and out 32 `blocks` floats; all are disjoint, and blocks may be 0. Each result is the exact product,
/// rounded once.
/// This form is in: ggml (dequantize_row_q4_0), there with scales of half precision beside the bytes.
void dequantizeQ4(const std::uint8_t *packed, const float *scales, float *out, std::size_t blocks);

} // namespace quant
