// What the kernel and the expert decode in the benchmark: the same differences.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// Small differences of both signs, as between neighbouring points of a map.
struct DeltaDecodeCase {
  explicit DeltaDecodeCase(std::size_t count) : deltas(count), values(count) {
    std::mt19937 engine(7);
    for (std::uint32_t &delta : deltas)
      delta = static_cast<std::uint32_t>(engine() % 2000);
  }

  void report(benchmark::State &state) const {
    testing_support::report(state, deltas.size(), 2 * deltas.size() * sizeof(deltas[0]));
  }

  std::vector<std::uint32_t> deltas;
  std::vector<std::int32_t> values;
};

/// A block of a file: both arrays in the second-level cache.
constexpr std::int64_t kDeltaDecodeCount = 32768;
