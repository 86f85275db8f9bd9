// Hashes of many short keys, as a hash join or a group-by computes them for a column.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hashing {

/// hashes[k] = FNV-1a of 64 bits over the keySize bytes from keys[k · keySize] on, for k < count: from the offset basis
/// 0xcbf29ce484222325, hash = (hash xor byte) · 0x100000001b3 modulo 2^64 for each byte in turn. The keys lie one
/// behind the other without gaps. count and keySize may be 0; a key of no bytes has the offset basis. keys and hashes
/// are disjoint. Exact.
///
/// This form is in: the hash_64a.c of FNV's authors, and libstdc++'s hash_bytes.cc (_Fnv_hash_bytes).
void fnv1aKeys(const std::uint8_t *keys, std::uint64_t *hashes, std::size_t count, std::size_t keySize);

} // namespace hashing
