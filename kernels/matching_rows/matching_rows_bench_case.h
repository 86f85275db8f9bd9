// What the kernel and the expert scan in the benchmark.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// 30 % of the values are in the range, a quarter of the codes are the key, both at random: one row in 13 matches.
struct MatchingRowsCase {
  explicit MatchingRowsCase(std::size_t size) : values(size), codes(size), rows(size) {
    std::mt19937 engine(7);
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = static_cast<std::int32_t>(engine() % 10'000);
      codes[i] = static_cast<std::uint16_t>(engine() % 4);
    }
  }

  /// An item is a row of the table; what is written is not counted.
  void report(benchmark::State &state) const {
    testing_support::report(state, values.size(), values.size() * (sizeof(std::int32_t) + sizeof(std::uint16_t)));
  }

  std::int32_t low = 4000, high = 6999;
  std::uint16_t key = 2;
  std::vector<std::int32_t> values;
  std::vector<std::uint16_t> codes;
  std::vector<std::uint32_t> rows;
};

// 768 KiB of columns: in a second-level cache. Half of that a processor's branch predictor has learned within a few
// calls.
inline void matchingRowsSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(131072)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
