// What the kernel and the expert solve in the benchmark: the same system.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct TriangularSolveCase {
  static constexpr std::size_t kColumns = 64;

  explicit TriangularSolveCase(std::size_t unknowns)
      : n(unknowns), columns(kColumns), L(n * n, 0.0f), B(n * columns), X(n * columns) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f), diagonal(1.0f, 2.0f);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k <= i; ++k)
        L[i * n + k] = k == i ? diagonal(engine) : value(engine) / static_cast<float>(n);
    for (float &b : B)
      b = value(engine);
  }

  /// An item is one multiplication with its subtraction, or one division.
  void report(benchmark::State &state) const {
    testing_support::report(state, n * (n + 1) / 2 * columns, (L.size() / 2 + 2 * B.size()) * sizeof(float));
  }

  std::size_t n, columns;
  std::vector<float> L, B, X;
};

// A diagonal block of a blocked solver: 48 KiB in all. The right-hand sides are overwritten, so each call begins with a
// copy of them, which is part of the time (well below 1 us).
inline void triangularSolveSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(64)->ArgName("n")->Unit(benchmark::kMicrosecond);
}
