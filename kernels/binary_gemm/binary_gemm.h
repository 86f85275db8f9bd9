// Product of a float matrix with a matrix of signs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bmm {

/// C (M×K) = A (M×K) · B (K×K), all row-major. B's elements are +1 or -1, packed 32 to a word along the columns:
/// element (p, j) is bit j % 32 of word B[p * (K / 32) + j / 32]; a set bit is +1. K is a multiple of 32. A, B and C
/// are disjoint.
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K);

} // namespace bmm
