// What the kernel and the expert factor in the benchmark: the same matrix.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct CholeskyCase {
  explicit CholeskyCase(std::size_t size) : n(size), A(n * n), L(n * n) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    std::vector<double> G(n * n);
    for (double &g : G)
      g = value(engine);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        A[i * n + j] = i == j ? 1.0 : 0.0;
        for (std::size_t k = 0; k < n; ++k)
          A[i * n + j] += G[i * n + k] * G[j * n + k] / static_cast<double>(n);
      }
  }

  /// An item is one multiplication with its subtraction, one division or one root.
  void report(benchmark::State &state) const {
    testing_support::report(state, n * (n + 1) * (n + 2) / 6, (A.size() + L.size()) * sizeof(double));
  }

  std::size_t n;
  std::vector<double> A, L;
};

// The covariance of 128 variables: 128 KiB, a little more than half of which is used. It is overwritten, so each call
// begins with a copy of it, which is part of the time (a few us).
inline void choleskySizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(128)->ArgName("n")->Unit(benchmark::kMicrosecond);
}
