// What the kernel and the expert multiply in the benchmark: the same matrices.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct BatchedGemm4Case {
  explicit BatchedGemm4Case(std::size_t matrices)
      : count(matrices), A(16 * matrices), B(16 * matrices), C(16 * matrices) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    for (float &a : A)
      a = value(engine);
    for (float &b : B)
      b = value(engine);
  }

  /// An item is one product of two matrices.
  void report(benchmark::State &state) const {
    testing_support::report(state, count, (A.size() + B.size() + C.size()) * sizeof(float));
  }

  std::size_t count;
  std::vector<float> A, B, C;
};

// A scene of 2048 objects: 384 KiB in all, which a second-level cache holds.
inline void batchedGemm4Sizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(2048)->ArgName("count")->Unit(benchmark::kMicrosecond);
}
