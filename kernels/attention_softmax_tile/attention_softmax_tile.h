// The softmax step of tiled attention.
#pragma once

#include <cstddef>

namespace attention {

/// One tile of scores, row-major, `rows` × `columns`. For every row r, with s[c] = scores[r][c] · scale + mask[r][c]:
/// rowMax[r] = max s, weights[r][c] = exp(s[c] - rowMax[r]), rowSum[r] = sum of weights[r]. The division by the sum
/// comes later, when the tiles of a row are merged. The mask may hold -infinity; a row that is masked out completely
/// has rowMax = -infinity, weights 0 and rowSum 0. All arrays are disjoint.
void softmaxTile(const float *scores, const float *mask, float scale, float *weights, float *rowMax, float *rowSum,
                 std::size_t rows, std::size_t columns);

} // namespace attention
