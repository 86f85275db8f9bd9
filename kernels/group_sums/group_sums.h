// SELECT group, SUM(value) … GROUP BY group, where a group is a code of 8 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aggregation {

/// sums[g] = sum of values[i] over all i < size with groups[i] == g, for g in 0 … 255; 0 for a group that does not
/// occur. size may be 0 and is below 2^32, so that no sum overflows. All arrays are disjoint. Exact.
/// This form is in: NumPy's bincount with weights; ClickHouse's aggregation by 8-bit keys (FixedHashMap).
void groupSums(const std::int32_t *values, const std::uint8_t *groups, std::size_t size, std::int64_t *sums);

} // namespace aggregation
