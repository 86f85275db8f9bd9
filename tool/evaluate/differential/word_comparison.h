// Decides whether memory of unknown type is the same: equal bits, or words that can only be floating-point numbers as
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

/// Returns whether the 8 (at the ends: fewer) bytes at `offset` agree. A word counts as two floats, a double, or an
/// integer, as its neighbourhood on both sides suggests; a difference of integers is never small.
bool wordsAgree(const MemoryPair &memory, std::size_t offset, std::size_t size, const Exactness &exactness);

} // namespace agentic
