// What the kernel and the experts filter in the benchmark: the same image.
#pragma once

#include "bench_case.h"
#include "median3x3.h"

#include <random>
#include <vector>

/// A slope of grey with a little noise, and one pixel in 20 black or white: what the filter is for.
struct Median3x3Case {
  explicit Median3x3Case(std::size_t columns)
      : height(columns * 3 / 4), width(columns), in(height * width), out(height * width) {
    std::mt19937 engine(7);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::size_t shade = 40 + (i % width + i / width) / 4 + engine() % 8;
      in[i] = static_cast<std::uint8_t>(engine() % 20 != 0 ? shade : engine() % 2 ? 255 : 0);
    }
  }

  void report(benchmark::State &state) const { testing_support::report(state, in.size(), in.size() + out.size()); }

  /// Whether `out` is the kernel's result, but for the border, which libraries treat in other ways.
  bool hasKernelsInterior() const {
    std::vector<std::uint8_t> expected(in.size());
    filters::median3x3(in.data(), expected.data(), height, width);
    for (std::size_t y = 1; y + 1 < height; ++y)
      for (std::size_t x = 1; x + 1 < width; ++x)
        if (out[y * width + x] != expected[y * width + x])
          return false;
    return true;
  }

  std::size_t height, width;
  std::vector<std::uint8_t> in, out;
};

// 256 × 192: both images, 96 KB, lie in the second-level cache, and a call of the kernel takes a few milliseconds.
inline void median3x3Sizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(256)->ArgName("width")->Unit(benchmark::kMicrosecond);
}
