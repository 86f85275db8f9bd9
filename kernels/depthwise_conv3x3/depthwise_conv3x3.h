// A 3×3 filter over an image of many channels, each with weights of its own.
#pragma once

#include <cstddef>

namespace filters {

/// out[y][x][c] = bias[c] + sum over i, j in 0 … 2 of in[y + i][x + j][c] · weights[i][j][c]: stride 1, "valid"
/// borders. `in` is `height` × `width` × `channels` (NHWC for one image: the channels of a pixel are neighbours),
/// weights 3 × 3 × `channels`, bias `channels`, out (height - 2) × (width - 2) × `channels`; all row-major and
/// disjoint. height and width are at least 2 (out is empty then); channels may be 0. For elements, weights and biases
/// within [-1, 1] each result is within 1e-5 of the exact one.
/// This form is in: TensorFlow Lite's reference kernels (reference/depthwiseconv_float.h).
void depthwiseConv3x3(const float *in, const float *weights, const float *bias, float *out, std::size_t height,
                      std::size_t width, std::size_t channels);

} // namespace filters
