#include "tool/evaluate/differential/word_comparison.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace agentic {
namespace {

constexpr std::size_t kNeighbours = 8; ///< words on each side

template <class T> T at(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// Numbers of a size that computations have: small integers and addresses look like denormals or like numbers far off.
template <class T> bool isPlausible(T value) {
  return value == 0 || (std::isnormal(value) && std::abs(std::ilogb(value)) <= 64);
}

bool isQuietNan(float value) {
  return (std::bit_cast<std::uint32_t>(value) & 0x7fffffffu) == 0x7fc00000u;
}
bool isQuietNan(double value) {
  return (std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63)) == std::uint64_t{0x7ff8} << 48;
}

/// Tests a signed integer.
bool isSmall(std::uint32_t value) {
  constexpr std::uint32_t kSmall = 1u << 20;
  return value < kSmall || value > ~kSmall;
}

/// Programs, their heaps, libraries and stacks are in this range.
bool isAddress(std::uint64_t word) {
  const std::uint64_t high = word >> 32;
  return high >= 0x5000 && high <= 0xffff;
}

enum class Kind { Nothing, Floats, Double, Other };

/// Classifies a word without its neighbours.
Kind kindOf(std::uint64_t word) {
  const auto low = static_cast<std::uint32_t>(word), high = static_cast<std::uint32_t>(word >> 32);
  if (low == 0)
    return Kind::Nothing; // 0, or a round number
  const float lowFloat = std::bit_cast<float>(low), highFloat = std::bit_cast<float>(high);
  constexpr int kAlike = 24;
  if (isPlausible(lowFloat) && isPlausible(highFloat) &&
      (highFloat == 0 || std::abs(std::ilogb(lowFloat) - std::ilogb(highFloat)) <= kAlike))
    return Kind::Floats;
  return !isSmall(low) && isPlausible(std::bit_cast<double>(word)) ? Kind::Double : Kind::Other;
}

/// One side is a round number, the other its neighbour: no evidence against doubles.
bool isLastPlace(std::uint64_t a, std::uint64_t b) {
  const auto low = static_cast<std::uint32_t>(a), other = static_cast<std::uint32_t>(b);
  return (low == 0 && isSmall(other)) || (other == 0 && isSmall(low));
}

/// Counts the words around `offset` that look like doubles, less those that do not.
int votesForDouble(const MemoryPair &memory, std::size_t offset) {
  const std::size_t before = std::min(kNeighbours, offset / 8) * 8;
  const std::size_t end = std::min(memory.expected.size(), offset + 8 * (kNeighbours + 1));
  int votes = 0;
  for (std::size_t i = offset - before; i + 8 <= end; i += 8) {
    const auto expected = at<std::uint64_t>(memory.expected, i), actual = at<std::uint64_t>(memory.actual, i);
    if (isLastPlace(expected, actual))
      continue;
    for (const std::uint64_t word : {expected, actual})
      if (const Kind kind = kindOf(word); kind != Kind::Nothing)
        votes += kind == Kind::Double ? 1 : -1;
  }
  return votes;
}

/// Returns whether halves of words around `offset`, at the same place in their words, are floats.
bool areFloats(const MemoryPair &memory, std::size_t offset) {
  const std::size_t before = std::min(kNeighbours, offset / 8) * 8;
  const std::size_t end = std::min(memory.expected.size(), offset + 8 * kNeighbours + 4);
  int floats = 0, others = 0;
  for (const std::span<const std::byte> side : {memory.expected, memory.actual})
    for (std::size_t i = offset - before; i + 4 <= end; i += 8)
      if (const float value = at<float>(side, i); value != 0)
        ++(isPlausible(value) || isQuietNan(value) ? floats : others);
  return floats >= 3 * others;
}

/// Returns whether the place is part of an address: half of one looks like any number, also like a huge one.
bool isInAddress(const MemoryPair &memory, std::size_t offset) {
  const std::size_t before = (memory.address + offset) % 8;
  return before <= offset && offset - before + 8 <= memory.expected.size() &&
         isAddress(at<std::uint64_t>(memory.expected, offset - before));
}

template <class T> long double largestAround(const MemoryPair &memory, std::size_t offset) {
  const std::size_t reach = 8 * kNeighbours;
  const std::size_t begin = offset - std::min(reach, offset) / sizeof(T) * sizeof(T);
  long double largest = 0;
  for (std::size_t i = begin; i + sizeof(T) <= std::min(memory.expected.size(), offset + reach); i += sizeof(T))
    if (const T value = at<T>(memory.expected, i); isPlausible(value) && !isInAddress(memory, i))
      largest = std::max(largest, std::fabs(static_cast<long double>(value)));
  return largest;
}

template <class T> bool areNear(const MemoryPair &memory, std::size_t offset, const Exactness &exactness) {
  const T expected = at<T>(memory.expected, offset), actual = at<T>(memory.actual, offset);
  if (isQuietNan(expected) && isQuietNan(actual))
    return true;
  if (exactness.kind == Exactness::Kind::Bits || !isPlausible(expected) || !isPlausible(actual))
    return false;
  const long double distance = std::fabs(static_cast<long double>(actual) - static_cast<long double>(expected));
  return distance <= allowedDistance(exactness, sizeof(T), expected, largestAround<T>(memory, offset));
}

bool areEqual(const MemoryPair &memory, std::size_t offset, std::size_t size) {
  return std::memcmp(memory.expected.data() + offset, memory.actual.data() + offset, size) == 0;
}

} // namespace

bool wordsAgree(const MemoryPair &memory, std::size_t offset, std::size_t size, const Exactness &exactness) {
  if (areEqual(memory, offset, size))
    return true;
  if (size == 8 &&
      (isAddress(at<std::uint64_t>(memory.expected, offset)) || isAddress(at<std::uint64_t>(memory.actual, offset))))
    return false;
  const int votes = size == 8 ? votesForDouble(memory, offset) : -1;
  if (votes >= 0 && areNear<double>(memory, offset, exactness))
    return true;
  if (votes > 0)
    return false;
  for (std::size_t i = offset; i < offset + size;) {
    const bool isFloat = (memory.address + i) % 4 == 0 && offset + size - i >= 4;
    if (!areEqual(memory, i, isFloat ? 4 : 1) &&
        !(isFloat && areFloats(memory, i) && areNear<float>(memory, i, exactness)))
      return false;
    i += isFloat ? 4 : 1;
  }
  return true;
}

} // namespace agentic
