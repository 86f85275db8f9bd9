// Whether memory of unknown type holds the same: equal bits, or what can only be floating-point numbers that are as
// near to each other as the contract allows. Pure.
#pragma once

#include "tool/evaluate/differential/comparison.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace agentic {

/// Both sides of a piece of memory, of the same size; `address` is its first byte's, which words are aligned to.
struct MemoryPair {
  std::uint64_t address = 0;
  std::span<const std::byte> expected, actual;
};

/// Whether the 8 (at the ends: fewer) bytes at `offset` agree. A word is two floats, a double, or an integer, whichever
/// its neighbourhood on both sides speaks for; a difference of integers is never small.
bool wordsAgree(const MemoryPair &memory, std::size_t offset, std::size_t size, const Exactness &exactness);

} // namespace agentic
