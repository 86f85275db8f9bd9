// Laying one picture with transparency over another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace color {

/// For each pixel i and each of its channels c = 0 … 3, with a = src[4 · i + 3], the source's alpha:
///   dst[4 · i + c] = (src[4 · i + c] · a + dst[4 · i + c] · (255 - a) + 127) / 255, rounded down
/// which is the nearest integer to the mean; alpha is treated like red, green and blue. Both hold `pixels` pixels
/// R G B A of 8 bits a channel, not premultiplied, and are disjoint; pixels may be 0. Exact.
/// This form is in: Pillow's BLEND (ImagingUtils.h, as Paste.c applies it), SDL's ALPHA_BLEND_RGBA (SDL_blit.h).
void alphaBlend(const std::uint8_t *src, std::uint8_t *dst, std::size_t pixels);

} // namespace color
