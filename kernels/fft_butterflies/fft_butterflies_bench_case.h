// What the kernel and the expert transform in the benchmark: the same sequence.
#pragma once

#include "bench_case.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

struct FftButterfliesCase {
  explicit FftButterfliesCase(std::size_t count)
      : size(count), inRe(count), inIm(count), re(count), im(count), twiddleRe(count / 2), twiddleIm(count / 2) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    for (std::size_t i = 0; i < size; ++i) {
      inRe[i] = value(engine);
      inIm[i] = value(engine);
    }
    for (std::size_t k = 0; k < size / 2; ++k) {
      const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(size);
      twiddleRe[k] = static_cast<float>(std::cos(angle));
      twiddleIm[k] = static_cast<float>(std::sin(angle));
    }
  }

  void restore() {
    std::ranges::copy(inRe, re.begin());
    std::ranges::copy(inIm, im.begin());
  }

  /// An item is one butterfly.
  void report(benchmark::State &state) const {
    const auto passes = static_cast<std::size_t>(std::log2(size));
    testing_support::report(state, size / 2 * passes, 5 * size * sizeof(float));
  }

  std::size_t size;
  std::vector<float> inRe, inIm, re, im, twiddleRe, twiddleIm;
};

// A block of audio or of a radio: 48 KiB with its table. Values grow by each transform in place, so each call begins
// with a copy of the input, which is part of the time (about 1 us).
inline void fftButterfliesSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(4096)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
