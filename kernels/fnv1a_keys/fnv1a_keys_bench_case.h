// What the kernel and the expert hash in the benchmark: the same keys.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// Keys of 16 bytes, such as UUIDs or addresses of IPv6.
struct Fnv1aKeysCase {
  static constexpr std::size_t kKeySize = 16;

  explicit Fnv1aKeysCase(std::size_t count) : keys(count * kKeySize), hashes(count) {
    std::mt19937 engine(7);
    for (std::uint8_t &byte : keys)
      byte = static_cast<std::uint8_t>(engine());
  }

  void report(benchmark::State &state) const {
    testing_support::report(state, hashes.size(), keys.size() + hashes.size() * sizeof(hashes[0]));
  }

  std::vector<std::uint8_t> keys;
  std::vector<std::uint64_t> hashes;
};

/// A batch of a query engine: keys and hashes stay in the second-level cache.
constexpr std::int64_t kFnv1aKeysCount = 4096;
