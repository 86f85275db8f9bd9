// One explicit time step of the heat equation on a plane.
#pragma once

#include <cstddef>

namespace stencils {

/// Inside, that is for 0 < y < height - 1 and 0 < x < width - 1:
/// out[y][x] = in[y][x] + rate · (in[y-1][x] + in[y+1][x] + in[y][x-1] + in[y][x+1] - 4 · in[y][x]), where
/// rate = diffusivity · time step / (grid step)². The first and last row and column keep their temperatures:
/// out[y][x] = in[y][x]. Both grids are row-major, `height` × `width` floats, and disjoint; either extent may be 0, and
/// a grid with an extent below 3 is all border. For temperatures within [-1, 1] and rates within [0, 0.25] (where
/// steps are stable) each result is within 1e-6 of the exact one.
///
/// This form is in: PolyBench's jacobi-2d and heat-3d, and introductions to MPI and OpenMP.
void heatStep(const float *in, float *out, std::size_t height, std::size_t width, float rate);

} // namespace stencils
