// The inner product of two vectors.
#pragma once

#include <cstddef>

namespace linear {

/// Returns a[0] · b[0] + … + a[size - 1] · b[size - 1], summed in float; 0 for size 0. a and b are only read, so that
/// they may overlap or be the same. Where terms do not cancel (the sum of their magnitudes is at most ten times that of
/// the result) and up to 10,000 elements of random size, the result is within 1e-4 of the exact one, relative to it. A
/// NaN or an infinity among the elements has the consequences that it has in IEEE arithmetic.
/// This form is in: sdot of the reference BLAS and of every other.
float dot(const float *a, const float *b, std::size_t size);

} // namespace linear
