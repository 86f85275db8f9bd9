#define _FILE_OFFSET_BITS 64
#define HASH_INTERNAL 1
#include "hash.h"

#include "constants.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

AGENTIC_KERNEL
std::uint32_t polynomialHash(const std::uint8_t *text, std::size_t size) {
  std::uint32_t hash = kStart;
  for (std::size_t i = 0; i < size; ++i)
    hash = hash * kFactor + text[i];
  return hash;
}

/* a second kernel */
std::uint32_t saltedHash(const std::uint8_t *text, std::size_t size) {
  std::uint32_t hash = kStart + 1;
  for (std::size_t i = 0; i < size; ++i)
    hash = hash * kFactor + text[i];
  return hash;
}

static std::size_t unpredicted(std::size_t value) {
#if defined(__GNUC__) && !defined(__clang__)
  return __builtin_speculation_safe_value(value);
#else
  return value;
#endif
}

// A caller in the kernel's own translation unit.
std::uint32_t hashOfHashes(const std::uint8_t *text, std::size_t size) {
  const std::size_t half = unpredicted(size / 2);
  return polynomialHash(text, half) * kFactor + polynomialHash(text + half, size - half);
}
