// Cholesky factor of a symmetric positive definite matrix.
#pragma once

#include <cstddef>

namespace lapack {

/// Replaces the lower triangle of A (n×n, row-major) by that of L, where A = L · Lᵀ and L's diagonal is positive:
/// L[i][j] = (A[i][j] - sum over k < j of L[i][k] · L[j][k]) / L[j][j] for j < i, and for j = i the root of that
/// difference. What is above the diagonal is neither used nor changed. n may be 0. A must be positive definite and hold
/// finite numbers: nothing is said about the result otherwise. For n up to 128, elements within [-2, 2] and
/// eigenvalues of at least 0.5 each element of L is within 1e-9 of the exact one.
///
/// This form is in: LAPACK's dpotf2 (lower), PolyBench's cholesky.
void cholesky(double *A, std::size_t n);

} // namespace lapack
