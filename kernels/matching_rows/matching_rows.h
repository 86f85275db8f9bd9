// SELECT row … WHERE value BETWEEN low AND high AND code = key, over two columns.
#pragma once

#include <cstddef>
#include <cstdint>

namespace columns {

/// Writes every i < size with low <= values[i] && values[i] <= high && codes[i] == key to rows[0], rows[1], …, in
/// ascending order; returns how many there are. rows has room for `size` elements; those behind the last match keep
/// their values. Where low > high nothing matches. All arrays are disjoint; size may be 0 and is at most 2^32. Exact.
/// This form is in: scans of column stores that make selection vectors, such as DuckDB's and MonetDB's.
std::size_t matchingRows(const std::int32_t *values, const std::uint16_t *codes, std::size_t size, std::int32_t low,
                         std::int32_t high, std::uint16_t key, std::uint32_t *rows);

} // namespace columns
