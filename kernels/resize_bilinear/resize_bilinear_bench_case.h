// What the kernel and the expert resize in the benchmark: the same image.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// From 3/4 of the width and height of the result, as video is shown in a larger window.
struct ResizeBilinearCase {
  explicit ResizeBilinearCase(std::size_t columns)
      : inHeight(columns * 27 / 64), inWidth(columns * 3 / 4), outHeight(columns * 9 / 16), outWidth(columns),
        in(inHeight * inWidth), out(outHeight * outWidth) {
    std::mt19937 engine(7);
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<std::uint8_t>((i % inWidth + i / inWidth) / 8 + engine() % 32); // a slope of grey with noise
  }

  void report(benchmark::State &state) const { testing_support::report(state, out.size(), in.size() + out.size()); }

  std::size_t inHeight, inWidth, outHeight, outWidth;
  std::vector<std::uint8_t> in, out;
};

// 480 × 270 to 640 × 360: both images, 360 KB, lie in the second-level cache.
inline void resizeBilinearSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(640)->ArgName("width")->Unit(benchmark::kMicrosecond);
}
