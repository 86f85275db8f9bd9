// How often each byte value occurs, as entropy coders, image equalisation and radix sorts count it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stats {

/// counts[v] = number of bytes of data[0 … size) that equal v, for each of the 256 values; what counts held before does
/// not matter. size < 2^32; data and counts are disjoint. Exact.
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts);

} // namespace stats
