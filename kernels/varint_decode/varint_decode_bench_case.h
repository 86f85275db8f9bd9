// What the kernel and the expert decode in the benchmark: the same bytes.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// Lengths, gaps of a posting list and identifiers: 60 % of one byte, 25 % of two, then fewer and fewer.
struct VarintDecodeCase {
  explicit VarintDecodeCase(std::size_t count) : values(count) {
    std::mt19937 engine(7);
    std::discrete_distribution<unsigned> bytes({60, 25, 10, 4, 1});
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned length = bytes(engine);
      for (unsigned byte = 0; byte < length; ++byte)
        in.push_back(static_cast<std::uint8_t>(0x80 | engine() % 128));
      in.push_back(static_cast<std::uint8_t>(length == 0 ? engine() % 128 : 1 + engine() % (length == 4 ? 15 : 127)));
    }
  }

  void report(benchmark::State &state) const {
    testing_support::report(state, values.size(), in.size() + values.size() * sizeof(values[0]));
  }

  std::vector<std::uint8_t> in;
  std::vector<std::uint32_t> values;
};

/// In the second-level cache, and more than a branch predictor learns by heart from call to call, which it does with a
/// tenth of it.
constexpr std::int64_t kVarintDecodeCount = 131072;
