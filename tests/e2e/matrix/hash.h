#pragma once
#include <cstddef>
#include <cstdint>

#ifndef HASH_API
#define HASH_API
#endif
#ifndef HASH_LINKAGE
#define HASH_LINKAGE
#endif

HASH_LINKAGE HASH_API std::uint32_t polynomialHash(const std::uint8_t *text, std::size_t size);
HASH_API std::uint32_t saltedHash(const std::uint8_t *text, std::size_t size);
HASH_API std::uint32_t hashOfHashes(const std::uint8_t *text, std::size_t size); ///< of both halves' hashes
