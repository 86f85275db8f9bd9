// Maximum pooling of 2×2 elements.
#pragma once

#include <cstddef>

namespace pooling {

/// out[c][y][x] = the largest of in[c][2y][2x], in[c][2y][2x + 1], in[c][2y + 1][2x], in[c][2y + 1][2x + 1]: stride 2.
/// `in` is `channels` × `height` × `width`, out `channels` × (height / 2) × (width / 2), both row-major and disjoint;
/// the last row and column of an odd height or width do not count, and every size may be 0. Exact: of zeros with
/// different signs the first in this order is taken; NaN counts as smaller than every number, and four of them give
/// -infinity.
/// This form is in: Darknet (maxpool_layer.c), ncnn (pooling.cpp).
void maxPool2x2(const float *in, float *out, std::size_t channels, std::size_t height, std::size_t width);

} // namespace pooling
