// How fast the points of the complex plane escape under z -> z² + c.
#pragma once

#include <cstddef>

namespace fractals {

/// For the grid of points c = (left + column · step) + (top + row · step) i: iterations[row * width + column] = the
/// number of steps z -> z² + c from z = 0 after which |z| is above 2 for the first time, or maxIterations if it is not
/// above 2 before. maxIterations >= 0. Arithmetic is in float: near the set's boundary rounding decides, and
/// results differ between compilers.
void mandelbrot(float left, float top, float step, std::size_t width, std::size_t height, int maxIterations,
                int *iterations);

} // namespace fractals
