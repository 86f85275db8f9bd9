// Gravitational accelerations of bodies that all attract each other.
#pragma once

#include <cstddef>

namespace nbody {

/// For each body i < count, with d = position[j] - position[i] and the gravitational constant 1:
/// (ax, ay, az)[i] = sum over all j of m[j] · d / (|d|² + softening²)^(3/2). A body exerts nothing on itself, and
/// bodies in one place nothing on each other. Positions and masses are finite; softening > 0 is a length like the
/// positions. count may be 0. All arrays have `count` elements and are disjoint. For masses >= 0 and up to 1024 bodies
/// each result is within 2.5e-5 · (sum of m) / softening² of the exact one: 1e-4 for masses whose sum is 1 and a
/// softening of 0.5.
///
/// This form is in: the nbody sample of the CUDA toolkit, textbooks on N-body simulation (direct summation).
void accelerations(const float *x, const float *y, const float *z, const float *m, float *ax, float *ay, float *az,
                   std::size_t count, float softening);

} // namespace nbody
