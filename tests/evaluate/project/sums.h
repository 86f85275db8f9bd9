#pragma once
#include <cstddef>

namespace sums {
/// y[i] = x[0] + … + x[i]
void running(const unsigned *x, unsigned *y, std::size_t n);
} // namespace sums
