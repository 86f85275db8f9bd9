// How steep the brightness of an image of one channel is: the first step of finding edges.
#pragma once

#include <cstddef>
#include <cstdint>

namespace filters {

/// Where all eight neighbours exist, out[y][x] = min(|gx| + |gy|, 255) with the sums over k = -1, 0, 1
///   gx = sum of (2 - |k|) · (in[y + k][x + 1] - in[y + k][x - 1])
///   gy = sum of (2 - |k|) · (in[y + 1][x + k] - in[y - 1][x + k])
/// and 0 in the first and last row and column. in and out are row-major, `height` × `width` bytes, and disjoint; either
/// size may be 0. Exact.
/// This form is in: libyuv's SobelXRow_C, SobelYRow_C and SobelRow_C (row_common.cc).
void sobel3x3(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width);

} // namespace filters
