// Smoothing of an image of one channel by a binomial filter, as before it is halved for a pyramid.
#pragma once

#include <cstddef>
#include <cstdint>

namespace filters {

/// With w = (1, 4, 6, 4, 1) and every coordinate clamped to the image:
///   out[y][x] = (sum over i, j in 0 … 4 of w[i] · w[j] · in[y + i - 2][x + j - 2] + 128) / 256, rounded down.
/// in and out are row-major, `height` × `width` bytes, and disjoint. Either size may be 0; width <= 4096. Exact.
/// This form is in: OpenCV's pyrDown (pyramids.cpp), and every Gaussian pyramid after Burt and Adelson.
void gaussian5(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width);

} // namespace filters
