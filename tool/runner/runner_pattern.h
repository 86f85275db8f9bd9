// The pseudo-random words that fill buffers, margins and the stack. They follow from a step's seed, so that baseline
// and candidate see the same. Not for security.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace agentic::runner {

/// Returns word number `index` of the pattern of `seed`.
inline std::uint64_t patternWord(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline void fillPattern(void *target, std::size_t bytes, std::uint64_t seed) {
  char *at = static_cast<char *>(target);
  std::size_t i = 0;
  for (; i + 8 <= bytes; i += 8) { // a constant size makes no call: sanitizers' memcpy would take most of the time
    const std::uint64_t word = patternWord(seed, i / 8);
    std::memcpy(at + i, &word, 8);
  }
  const std::uint64_t last = patternWord(seed, i / 8);
  std::memcpy(at + i, &last, bytes - i);
}

/// Fills with NaNs whose payload is the pattern's, for floating-point elements of 4 and 8 bytes; else with the pattern
/// itself.
inline void fillPoison(void *target, std::size_t bytes, bool isFloating, std::size_t elementSize, std::uint64_t seed) {
  fillPattern(target, bytes, seed);
  if (!isFloating || (elementSize != 4 && elementSize != 8))
    return;
  const std::uint64_t nan = elementSize == 4 ? 0x7fc000007fc00000u : 0x7ff8000000000000u;
  const std::uint64_t sign = elementSize == 4 ? 0x8000000080000000u : 0x8000000000000000u;
  char *at = static_cast<char *>(target);
  const auto makeNan = [&](char *place, std::size_t count) {
    std::uint64_t word = 0;
    std::memcpy(&word, place, count);
    word = (word & ~sign) | nan;
    std::memcpy(place, &word, count);
  };
  std::size_t i = 0;
  for (; i + 8 <= bytes; i += 8)
    makeNan(at + i, 8);
  makeNan(at + i, bytes - i);
}

} // namespace agentic::runner
