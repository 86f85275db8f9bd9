// Decoding of a prefix code, the second half of most compressed formats.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coding {

/// Decodes up to `count` symbols from the bits of `in`, the lowest bit of each byte first, and returns how many there
/// were: fewer than `count` where the input ends within a symbol or no symbol begins with the next bits. The table has
/// an entry for each value of the next 11 bits, the first of them lowest: symbol · 16 + the number of bits of its code
/// (1 to 11), or 0 if no code begins so. Bits past the end count as zeros for the look-up. What lies in `out` behind
/// the decoded symbols is unspecified. size and count may be 0; the arrays are disjoint. Exact.
///
/// This form is in: zlib's inffast.c (inflate_fast), and Huff0's huf_decompress.c in Zstandard.
std::size_t prefixDecode(const std::uint8_t *in, std::size_t size, const std::uint16_t *table, std::uint8_t *out,
                         std::size_t count);

} // namespace coding
