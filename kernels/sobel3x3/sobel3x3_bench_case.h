// What the kernel and the expert differentiate in the benchmark: the same image.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct Sobel3x3Case {
  explicit Sobel3x3Case(std::size_t columns)
      : height(columns * 3 / 4), width(columns), in(height * width), out(height * width) {
    std::mt19937 engine(7);
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<std::uint8_t>((i % width + i / width) / 8 + engine() % 32); // a slope of grey with noise
  }

  void report(benchmark::State &state) const { testing_support::report(state, in.size(), in.size() + out.size()); }

  std::size_t height, width;
  std::vector<std::uint8_t> in, out;
};

// 640 × 480: both images, 600 KB, lie in the second-level cache.
inline void sobel3x3Sizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(640)->ArgName("width")->Unit(benchmark::kMicrosecond);
}
