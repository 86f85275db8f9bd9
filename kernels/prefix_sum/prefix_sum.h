// Running totals of a sequence of integers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scan {

/// out[i] = in[0] + … + in[i], for i < size: the inclusive prefix sum. Sums wrap modulo 2^32 as two's complement does.
/// in and out are disjoint. Exact.
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size);

} // namespace scan
