// Forward substitution for many right-hand sides.
#pragma once

#include <cstddef>

namespace blas {

/// Solves L · X = B and leaves X in B: X[i][r] = (B[i][r] - sum over k < i of L[i][k] · X[k][r]) / L[i][i]. L (n×n) is
/// lower triangular, what is above its diagonal is not used, and no element of the diagonal is 0. B (n×columns) has a
/// right-hand side in each column. Both are row-major and disjoint. n and columns may be 0. For n up to 128, elements
/// of L's diagonal of magnitude 1 to 2, other elements within [-1/n, 1/n] and B within [-1, 1], each element is within
/// 1e-4 of the exact one.
///
/// This form is in: the reference BLAS's strsm (left, lower, not transposed), Eigen's triangular solvers.
void triangularSolve(const float *L, float *B, std::size_t n, std::size_t columns);

} // namespace blas
