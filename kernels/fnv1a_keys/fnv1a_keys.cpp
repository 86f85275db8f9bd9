#include "fnv1a_keys.h"

#include <agentic_kernel.h>

namespace hashing {

constexpr std::uint64_t kOffsetBasis = 0xcbf29ce484222325;
constexpr std::uint64_t kPrime = 0x100000001b3;

AGENTIC_KERNEL
AGENTIC_IN(keys, count * keySize)
AGENTIC_OUT(hashes, count)
void fnv1aKeys(const std::uint8_t *keys, std::uint64_t *hashes, std::size_t count, std::size_t keySize) {
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint8_t *key = keys + k * keySize;
    std::uint64_t hash = kOffsetBasis;
    for (std::size_t i = 0; i < keySize; ++i) {
      hash ^= key[i];
      hash *= kPrime;
    }
    hashes[k] = hash;
  }
}

} // namespace hashing
