// The grids of the benchmark, for the kernel and the expert.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct Heat2dCase {
  static constexpr float kRate = 0.2f;

  explicit Heat2dCase(std::size_t edge) : height(edge), width(edge), in(edge * edge), out(edge * edge) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    for (float &temperature : in)
      temperature = value(engine);
  }

  /// An item is one point.
  void report(benchmark::State &state) const {
    testing_support::report(state, out.size(), (in.size() + out.size()) * sizeof(float));
  }

  std::size_t height, width;
  std::vector<float> in, out;
};

// Both grids together are 512 KiB, which a second-level cache holds.
inline void heat2dSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(256)->ArgName("edge")->Unit(benchmark::kMicrosecond);
}
