// What the kernel and the expert filter in the benchmark: the same image.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct DepthwiseConv3x3Case {
  explicit DepthwiseConv3x3Case(std::size_t channelCount)
      : channels(channelCount), in(kHeight * kWidth * channels), weights(9 * channels), bias(channels),
        out((kHeight - 2) * (kWidth - 2) * channels) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    for (std::vector<float> *values : {&in, &weights, &bias})
      for (float &element : *values)
        element = value(engine);
  }

  /// An item is one element of the output: nine multiplications with their additions.
  void report(benchmark::State &state) const {
    testing_support::report(state, out.size(), (in.size() + weights.size() + bias.size() + out.size()) * sizeof(float));
  }

  static constexpr std::size_t kHeight = 30, kWidth = 30; // 28×28 as in the middle of MobileNet, and the border
  std::size_t channels;
  std::vector<float> in, weights, bias, out;
};

/// 64 channels: both images together are 430 KB, in the second-level cache.
inline void depthwiseConv3x3Sizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(64)->ArgName("channels")->Unit(benchmark::kMicrosecond);
}
