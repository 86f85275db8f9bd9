// What the kernel and the expert parse in the benchmark: the same numbers.
#pragma once

#include "bench_case.h"

#include <random>
#include <string>
#include <vector>

struct ParseDecimalCase {
  /// As many numbers of each length from 1 to 10 digits, in any order.
  explicit ParseDecimalCase(std::size_t count) : values(count) {
    std::mt19937_64 engine(7);
    for (std::size_t i = 0; i < count; ++i) {
      std::string digits = std::to_string(10'000'000'000 + engine() % 10'000'000'000);
      digits[1] = digits[1] == '0' ? '7' : digits[1];
      text += digits.substr(1, 1 + engine() % 10) + "\n";
    }
  }

  std::string text;
  std::vector<std::uint32_t> values;
};

/// A column of a table: text and values fit into the second-level cache.
inline void parseDecimalSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(20'000)->ArgName("numbers")->Unit(benchmark::kMicrosecond);
}
