// A 3×3 filter over an image of one channel.
#pragma once

#include <cstddef>

namespace filters {

/// out[y][x] = sum over i, j in 0 … 2 of in[y + i - 1][x + j - 1] · weights[i][j], where `in` counts as zero outside
/// the image ("same" padding; the weights are not mirrored). in and out are row-major, `height` × `width`; weights has
/// 9 elements; all three are disjoint. For pixels and weights within [-1, 1] each result is within 1e-5 of the exact
/// one.
void conv3x3(const float *in, const float *weights, float *out, std::size_t height, std::size_t width);

} // namespace filters
