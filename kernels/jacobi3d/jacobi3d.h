// One Jacobi sweep of the 7-point stencil over a box.
#pragma once

#include <cstddef>

namespace stencils {

/// For every inner point, that is 0 < z < depth - 1, 0 < y < height - 1, 0 < x < width - 1:
/// out[z][y][x] = centre · in[z][y][x] + neighbour · (sum of in at the six points one step away along one axis).
/// The points on the six faces of `out` are left as they are (a fixed boundary); a box with an extent below 3 has no
/// inner point. Both arrays are row-major, `depth` × `height` × `width` floats, and disjoint. For |centre|,
/// |neighbour| and elements of `in` within [-1, 1] each result is within 1e-5 of the exact one.
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width);

} // namespace stencils
