// What the kernel and the expert pool in the benchmark: the same planes.
#pragma once

#include "bench_case.h"

#include <algorithm>
#include <random>
#include <vector>

struct MaxPool2x2Case {
  explicit MaxPool2x2Case(std::size_t channelCount)
      : channels(channelCount), in(channels * kHeight * kWidth), out(channels * (kHeight / 2) * (kWidth / 2)) {
    std::mt19937 engine(7);
    std::normal_distribution<float> value(0.0f, 1.0f);
    for (float &element : in)
      element = std::max(0.0f, value(engine)); // behind a rectifier: half of them are zero
  }

  /// An item is one element of the output.
  void report(benchmark::State &state) const {
    testing_support::report(state, out.size(), (in.size() + out.size()) * sizeof(float));
  }

  static constexpr std::size_t kHeight = 112, kWidth = 112; // behind the second convolutions of VGG
  std::size_t channels;
  std::vector<float> in, out;
};

/// 12 channels: 600 KB are read and 150 KB written, in the second-level cache.
inline void maxPool2x2Sizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(12)->ArgName("channels")->Unit(benchmark::kMicrosecond);
}
