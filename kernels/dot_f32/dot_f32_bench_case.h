// What the kernel and the expert multiply in the benchmark.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// Features between 0 and 1: no terms cancel.
struct DotF32Case {
  explicit DotF32Case(std::size_t size) : a(size), b(size) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(0.0f, 1.0f);
    for (auto *vector : {&a, &b})
      for (float &element : *vector)
        element = value(engine);
  }

  /// An item is a product with its addition.
  void report(benchmark::State &state) const { testing_support::report(state, a.size(), 2 * a.size() * sizeof(float)); }

  std::vector<float> a, b;
};

// 32 KiB a vector: both are just above a first-level cache, and far within a second.
inline void dotF32Sizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(8192)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
