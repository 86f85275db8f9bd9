// Differences back to values, as columns, maps and time series keep what changes little.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coding {

/// values[i] = first + d[0] + … + d[i], for i < count, where d[j] is deltas[j] in zigzag code: 0, 1, 2, 3, 4, … mean 0,
/// -1, 1, -2, 2, … Sums wrap modulo 2^32 as two's complement does. count may be 0; deltas and values are disjoint.
/// Exact.
///
/// This form is in: vtzero, the decoder of Mapbox's vector tiles (geometry.hpp), and libosmium's reader of dense nodes
/// (pbf_decoder.hpp), there with 64 bits.
void deltaDecode(const std::uint32_t *deltas, std::int32_t *values, std::size_t count, std::int32_t first);

} // namespace coding
