#include "xxh32.h"

#include <agentic_kernel.h>
#include <bit>
#include <cstring>

namespace hashing {

constexpr std::uint32_t kPrime1 = 0x9E3779B1, kPrime2 = 0x85EBCA77, kPrime3 = 0xC2B2AE3D, kPrime4 = 0x27D4EB2F,
                        kPrime5 = 0x165667B1;

static std::uint32_t readWord(const std::uint8_t *from) {
  std::uint32_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

static std::uint32_t mixIn(std::uint32_t sum, std::uint32_t word) {
  return std::rotl(sum + word * kPrime2, 13) * kPrime1;
}

AGENTIC_KERNEL
AGENTIC_IN(data, size)
std::uint32_t xxh32(const std::uint8_t *data, std::size_t size, std::uint32_t seed) {
  std::uint32_t hash = seed + kPrime5;
  std::size_t i = 0;
  if (size >= 16) {
    std::uint32_t sum1 = seed + kPrime1 + kPrime2, sum2 = seed + kPrime2, sum3 = seed, sum4 = seed - kPrime1;
    for (; i + 16 <= size; i += 16) {
      sum1 = mixIn(sum1, readWord(data + i));
      sum2 = mixIn(sum2, readWord(data + i + 4));
      sum3 = mixIn(sum3, readWord(data + i + 8));
      sum4 = mixIn(sum4, readWord(data + i + 12));
    }
    hash = std::rotl(sum1, 1) + std::rotl(sum2, 7) + std::rotl(sum3, 12) + std::rotl(sum4, 18);
  }
  hash += static_cast<std::uint32_t>(size);
  for (; i + 4 <= size; i += 4)
    hash = std::rotl(hash + readWord(data + i) * kPrime3, 17) * kPrime4;
  for (; i < size; ++i)
    hash = std::rotl(hash + data[i] * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 15) * kPrime2;
  hash = (hash ^ hash >> 13) * kPrime3;
  return hash ^ hash >> 16;
}

} // namespace hashing
