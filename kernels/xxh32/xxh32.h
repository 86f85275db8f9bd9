// A fast hash of a long buffer, as file formats use it for checksums.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hashing {

/// XXH32 of xxHash's published specification: four sums over stripes of 16 bytes, then the words and bytes that are
/// left, then a final mix. Words are little-endian and at any alignment. All sizes, 0 too, and any seed. Exact, on
/// little-endian machines.
///
/// This form is in: xxHash's xxhash.h (XXH32), and the lz4 and Zstandard sources that carry it.
std::uint32_t xxh32(const std::uint8_t *data, std::size_t size, std::uint32_t seed);

} // namespace hashing
