// What the kernel and the expert unpack in the benchmark: the same bits.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// A page of a column: packed and unpacked values are in the second-level cache, where the next operator finds them.
struct BitUnpackCase {
  static constexpr std::size_t kCount = 32768;

  explicit BitUnpackCase(std::size_t bits) : packed((kCount * bits + 7) / 8), values(kCount) {
    std::mt19937 engine(7);
    for (std::uint8_t &byte : packed)
      byte = static_cast<std::uint8_t>(engine());
  }

  void report(benchmark::State &state) const {
    testing_support::report(state, kCount, packed.size() + kCount * sizeof(values[0]));
  }

  std::vector<std::uint8_t> packed;
  std::vector<std::uint32_t> values;
};

/// Numbers of entries of a small dictionary and of a large one.
constexpr std::int64_t kBitUnpackSmall = 7, kBitUnpackLarge = 19;
