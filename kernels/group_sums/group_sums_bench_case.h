// What the kernel and the expert add up in the benchmark.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// Amounts of rows that belong to `occurring` groups at random: with few of them a sum is soon needed again.
struct GroupSumsCase {
  explicit GroupSumsCase(std::size_t occurring) : values(kRows), groups(kRows), sums(256) {
    std::mt19937 engine(7);
    for (std::size_t i = 0; i < kRows; ++i) {
      values[i] = static_cast<std::int32_t>(engine() % 200'001) - 100'000;
      groups[i] = static_cast<std::uint8_t>(engine() % occurring);
    }
  }

  /// An item is a row.
  void report(benchmark::State &state) const {
    testing_support::report(state, kRows, kRows * (sizeof(std::int32_t) + sizeof(std::uint8_t)));
  }

  static constexpr std::size_t kRows = 65536; // 320 KiB of values and groups: in a second-level cache
  std::vector<std::int32_t> values;
  std::vector<std::uint8_t> groups;
  std::vector<std::int64_t> sums;
};

inline void groupSumsSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(4)->Arg(256)->ArgName("groups")->Unit(benchmark::kMicrosecond);
}
