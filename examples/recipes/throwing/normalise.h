#pragma once

#include <cstdint>
#include <vector>

/// Every value's distance to the smallest one, in units of `step`. Throws std::invalid_argument for no values or a step
/// of zero.
std::vector<std::uint32_t> normalise(const std::vector<std::uint32_t> &values, std::uint32_t step);
