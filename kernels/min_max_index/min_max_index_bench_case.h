// What the kernel and the expert look at in the benchmark.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// Normally distributed values: a new largest is rare, and where it stands depends on all.
struct MinMaxIndexCase {
  explicit MinMaxIndexCase(std::size_t size) : values(size) {
    std::mt19937 engine(7);
    std::normal_distribution<float> value(0.0f, 1.0f);
    for (float &element : values)
      element = value(engine);
  }

  void report(benchmark::State &state) const {
    testing_support::report(state, values.size(), values.size() * sizeof(float));
  }

  std::vector<float> values;
};

// 128 KiB: in a second-level cache.
inline void minMaxIndexSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(32768)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
