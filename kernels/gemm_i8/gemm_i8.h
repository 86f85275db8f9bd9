// Product of two matrices of 8-bit integers, as quantised neural networks need it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quantised {

/// C[i][j] = sum over p < K of A[i][p] · B[j][p]: A (M×K) times the transpose of B (N×K, a row of weights for each
/// output), both row-major without padding, into the row-major C (M×N). M and N may be 0; C is zero if K is 0. A, B and
/// C are disjoint. K is at most 131071, so that no sum leaves 32 bits. Exact.
///
/// This form is in: gemmlowp's reference GEMM, XNNPACK's scalar qs8 GEMM, ggml's integer dot products.
void gemmI8(const std::int8_t *A, const std::int8_t *B, std::int32_t *C, std::size_t M, std::size_t N, std::size_t K);

} // namespace quantised
