// An image of one channel in another size, by bilinear interpolation in fixed point.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaling {

/// Positions are in units of 2^-16 pixels. Column c of the result lies at
///   x = c · step + step / 2 - 2^15, clamped to [0, (inWidth - 1) · 2^16], with step = inWidth · 2^16 / outWidth
/// (divisions round down): centres of pixels fall onto centres. Between the pixels l = x / 2^16 and l + 1 the weight of
/// the second is wx = x / 2^8 mod 2^8, of 256; the same for rows. Then
///   out[r][c] = ((256 - wy) · ((256 - wx) · in[t][l] + wx · in[t][l + 1])
///                      + wy · ((256 - wx) · in[t + 1][l] + wx · in[t + 1][l + 1]) + 2^15) / 2^16, rounded down,
/// and a pixel of weight 0 need not exist. Both images are row-major, bytes, and disjoint; each of their sizes is from
/// 1 to 16384. Exact.
/// This form is in: libyuv's scale.cc (ScalePlaneBilinearUp, ScaleFilterCols_C), SDL's SDL_stretch.c (linear).
void resizeBilinear(const std::uint8_t *in, std::size_t inHeight, std::size_t inWidth, std::uint8_t *out,
                    std::size_t outHeight, std::size_t outWidth);

} // namespace scaling
