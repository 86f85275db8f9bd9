// The extremes of an array, and where the largest one stands.
#pragma once

#include <cstddef>

namespace extremes {

/// Sets *smallest and *largest to the least and the greatest of values[0 … size) and returns the index of the first one
/// that equals *largest. size is above 0. No value is a NaN, an infinity, a denormal or -0. All arrays are disjoint.
/// Exact.
/// This form is in: OpenCV's minMaxLoc; NumPy's argmax.
std::size_t minMaxIndex(const float *values, std::size_t size, float *smallest, float *largest);

} // namespace extremes
