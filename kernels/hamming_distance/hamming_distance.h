// In how many bits two bit vectors differ, as similarity search over fingerprints and descriptors compares them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bits {

/// The number of bits in which a and b differ, both of `words` words of 64 bits. Both are only read, so that they may
/// overlap. Exact.
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words);

} // namespace bits
