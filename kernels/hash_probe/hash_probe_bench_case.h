// The table in which the kernel and the expert look up keys in the benchmark.
#pragma once

#include "bench_case.h"
#include "hash_probe.h"

#include <random>
#include <vector>

/// A table that is half full, and keys of which half are in it, in a random order.
struct HashProbeCase {
  explicit HashProbeCase(std::size_t slots)
      : slotKeys(slots), slotPayloads(slots), keys(4 * slots), payloads(4 * slots) {
    std::mt19937 engine(7);
    std::vector<std::uint32_t> held;
    while (held.size() < slots / 2) {
      const auto key = static_cast<std::uint32_t>(engine());
      std::size_t slot = static_cast<std::size_t>(std::uint64_t{key * hashing::kMultiplier} * slots >> 32);
      while (slotKeys[slot] != hashing::kEmpty && slotKeys[slot] != key)
        slot = (slot + 1) % slots;
      if (key == hashing::kEmpty || slotKeys[slot] == key)
        continue;
      slotKeys[slot] = key;
      slotPayloads[slot] = static_cast<std::uint32_t>(engine());
      held.push_back(key);
    }
    for (std::uint32_t &key : keys)
      key = engine() % 2 == 0 ? held[engine() % held.size()] : static_cast<std::uint32_t>(engine());
  }

  /// An item is a key, read once as its payload is written once.
  void report(benchmark::State &state) const {
    testing_support::report(state, keys.size(), 2 * keys.size() * sizeof(std::uint32_t));
  }

  std::vector<std::uint32_t> slotKeys, slotPayloads, keys, payloads;
};

// The table has 128 KiB, keys and payloads 256 KiB each: all stays in a second-level cache. With as many keys as slots,
// a processor learns within a few calls where each branch goes.
inline void hashProbeSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(16384)->ArgName("slots")->Unit(benchmark::kMicrosecond);
}
