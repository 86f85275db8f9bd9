// From red, green and blue to luma and two colour differences, the first step of image and video compression.
#pragma once

#include <cstddef>
#include <cstdint>

namespace color {

/// Converts `pixels` pixels of 8 bits a channel, interleaved R G B R G B …, to three planes of one byte a pixel (YUV
/// 4:4:4) by ITU-R BT.601 in limited range: y in [16, 235], u and v in [16, 240] around 128. With 8 fractional bits and
/// rounding down after adding one half:
///   y =  16 + ( 66 r + 129 g +  25 b + 128) / 256
///   u = 128 + (-38 r -  74 g + 112 b + 128) / 256
///   v = 128 + (112 r -  94 g -  18 b + 128) / 256
/// rgb holds 3 · pixels bytes; rgb, y, u and v are disjoint. Exact by these formulas.
void rgbToYuv(const std::uint8_t *rgb, std::uint8_t *y, std::uint8_t *u, std::uint8_t *v, std::size_t pixels);

} // namespace color
