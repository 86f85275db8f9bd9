// How long the matches are that a compressor's hash table proposes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lz {

/// lengths[k] = the number of leading bytes in which data[candidates[k] …] and data[positions[k] …] agree, at most
/// `limit` and at most size - positions[k], for k < pairs. candidates[k] <= positions[k] <= size; the two runs of bytes
/// may overlap. pairs, size and limit may be 0; limit is below 2^32. The arrays are disjoint. Exact.
///
/// This form is in: zlib's deflate.c (longest_match), and lz4's lz4.c (LZ4_count).
void matchLengths(const std::uint8_t *data, std::size_t size, const std::uint32_t *candidates,
                  const std::uint32_t *positions, std::uint32_t *lengths, std::size_t pairs, std::size_t limit);

} // namespace lz
