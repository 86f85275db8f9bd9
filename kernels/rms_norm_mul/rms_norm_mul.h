// Root-mean-square normalisation with a weight per column, as transformers apply it before each block.
#pragma once

#include <cstddef>

namespace norm {

/// y[r][c] = x[r][c] / sqrt(mean(x[r]²) + eps) · weight[c], for `rows` rows of `columns` floats. x and y are row-major;
/// x, weight and y are disjoint; eps > 0.
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps);

} // namespace norm
