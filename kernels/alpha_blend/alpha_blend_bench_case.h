// What the kernel and the expert blend in the benchmark: the same pictures.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// A picture of any transparency, over one that is blended again and again: no time depends on what it holds.
struct AlphaBlendCase {
  explicit AlphaBlendCase(std::size_t count) : pixels(count), src(4 * count), dst(4 * count) {
    std::mt19937 engine(7);
    for (std::size_t i = 0; i < src.size(); ++i) {
      src[i] = static_cast<std::uint8_t>(engine());
      dst[i] = static_cast<std::uint8_t>(engine());
    }
  }

  void report(benchmark::State &state) const { testing_support::report(state, pixels, src.size() + 2 * dst.size()); }

  std::size_t pixels;
  std::vector<std::uint8_t> src, dst;
};

// 256 × 256: both pictures, 512 KB, lie in the second-level cache.
inline void alphaBlendSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(65536)->ArgName("pixels")->Unit(benchmark::kMicrosecond);
}
