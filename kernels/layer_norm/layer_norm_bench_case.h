// What the kernel and the expert normalise in the benchmark: the same rows.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct LayerNormCase {
  explicit LayerNormCase(std::size_t columnCount)
      : columns(columnCount), in(kRows * columns), gamma(columns), beta(columns), out(kRows * columns) {
    std::mt19937 engine(7);
    std::normal_distribution<float> value(0.0f, 1.0f);
    for (float &element : in)
      element = 0.3f + 1.5f * value(engine);
    for (float &element : gamma)
      element = 1.0f + 0.1f * value(engine);
    for (float &element : beta)
      element = 0.1f * value(engine);
  }

  void report(benchmark::State &state) const {
    testing_support::report(state, in.size(), (in.size() + gamma.size() + beta.size() + out.size()) * sizeof(float));
  }

  static constexpr std::size_t kRows = 64;
  static constexpr float kEps = 1e-5f;
  std::size_t columns;
  std::vector<float> in, gamma, beta, out;
};

/// The width of GPT-2, for 64 tokens: 200 KB are read and as many written, in the second-level cache.
inline void layerNormSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(768)->ArgName("columns")->Unit(benchmark::kMicrosecond);
}
