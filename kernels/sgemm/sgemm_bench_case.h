// What the kernel and the expert multiply in the benchmark: the same matrices.
#pragma once

#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

struct SgemmCase {
  explicit SgemmCase(const benchmark::State &state)
      : M(static_cast<std::size_t>(state.range(0))), N(static_cast<std::size_t>(state.range(1))),
        K(static_cast<std::size_t>(state.range(2))), A(M * K), B(K * N), C(M * N) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    for (float &a : A)
      a = value(engine);
    for (float &b : B)
      b = value(engine);
  }

  /// An item is one multiplication with its addition.
  void report(benchmark::State &state) const {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(M * N * K));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>((A.size() + B.size() + C.size()) * 4));
  }

  std::size_t M, N, K;
  std::vector<float> A, B, C;
};

/// Made once: Google Benchmark calls a benchmark several times for each of its results.
inline SgemmCase &sgemmCase(const benchmark::State &state) {
  static std::map<std::int64_t, SgemmCase> cases;
  return cases.try_emplace(state.range(0), state).first->second;
}

inline void sgemmSizes(benchmark::internal::Benchmark *runs) {
  runs->Args({256, 256, 256})->Args({250, 260, 240})->ArgNames({"M", "N", "K"})->Unit(benchmark::kMillisecond);
}
