// What the kernel and the expert work on in the benchmark: the same activations.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct GeluCase {
  explicit GeluCase(std::size_t size) : in(size), out(size) {
    std::mt19937 engine(7);
    std::normal_distribution<float> value(-0.3f, 1.5f);
    for (float &element : in)
      element = value(engine);
  }

  void report(benchmark::State &state) const {
    testing_support::report(state, in.size(), (in.size() + out.size()) * sizeof(float));
  }

  std::vector<float> in, out;
};

/// Four tokens of GPT-2's inner layer: both arrays together are 98 KB, in the second-level cache.
inline void geluSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(4 * 3072)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
