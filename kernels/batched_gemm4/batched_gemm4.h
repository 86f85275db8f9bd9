// Products of many pairs of 4×4 matrices.
#pragma once

#include <cstddef>

namespace blas {

/// C[b] = A[b] · B[b] for b < count, where each of A, B and C is an array of `count` matrices of 4×4 floats, row-major
/// and one behind the other: C[b][i][j] = sum over k in 0 … 3 of A[b][i][k] · B[b][k][j]. count may be 0. A, B and C
/// are disjoint. For elements of A and B within [-1, 1] each element of C is within 2e-6 of the exact one.
///
/// This form is in: GLM's operator* of mat4, skinning and scene-graph code of game engines (a loop over such products).
void batchedGemm4(const float *A, const float *B, float *C, std::size_t count);

} // namespace blas
