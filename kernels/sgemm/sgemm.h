// Product of two float matrices.
#pragma once

#include <cstddef>

namespace blas {

/// C (M×N) = A (M×K) · B (K×N), all row-major without padding between rows; C is zero if K is 0. A, B and C are
/// disjoint. For elements of A and B within [-1, 1] each element of C is within 0.001 of the exact one.
void sgemm(const float *A, const float *B, float *C, std::size_t M, std::size_t N, std::size_t K);

} // namespace blas
