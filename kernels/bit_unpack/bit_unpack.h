// Integers packed with as few bits as the largest of them needs, as columnar files keep them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coding {

/// values[i] = the bits from i · bits to (i + 1) · bits - 1 of `packed`, for i < count, where bit n is bit n % 8 of
/// byte n / 8: `bits` (1 to 32) for each value, the lowest first, without gaps. The bits of the last byte that belong
/// to no value may be anything. count may be 0; the arrays are disjoint. Exact.
///
/// This form is in: Apache Arrow's reader of Parquet files (BitReader in bit_stream_utils.h).
void bitUnpack(const std::uint8_t *packed, std::uint32_t *values, std::size_t count, unsigned bits);

} // namespace coding
