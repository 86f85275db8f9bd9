// What the kernel and the expert unpack in the benchmark: the same weights.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct DequantizeQ4Case {
  explicit DequantizeQ4Case(std::size_t blockCount)
      : blocks(blockCount), packed(16 * blocks), scales(blocks), out(32 * blocks) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> scale(0.001f, 0.02f);
    for (std::uint8_t &byte : packed)
      byte = static_cast<std::uint8_t>(engine());
    for (float &value : scales)
      value = scale(engine);
  }

  /// An item is one weight.
  void report(benchmark::State &state) const {
    testing_support::report(state, out.size(), packed.size() + (scales.size() + out.size()) * sizeof(float));
  }

  std::size_t blocks;
  std::vector<std::uint8_t> packed;
  std::vector<float> scales, out;
};

/// 32 rows of 4096 weights, a tile of a matrix: 80 KB are read and 520 KB written, in the second-level cache.
inline void dequantizeQ4Sizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(4096)->ArgName("blocks")->Unit(benchmark::kMicrosecond);
}
