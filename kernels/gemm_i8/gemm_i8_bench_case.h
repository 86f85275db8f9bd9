// What the kernel and the expert multiply in the benchmark: the same matrices.
#pragma once

#include "bench_case.h"

#include <cstdint>
#include <random>
#include <vector>

struct GemmI8Case {
  static constexpr std::size_t kOutputs = 256, kInputs = 512;

  explicit GemmI8Case(std::size_t rows)
      : M(rows), N(kOutputs), K(kInputs), A(rows * kInputs), B(kOutputs * kInputs), C(rows * kOutputs) {
    std::mt19937 engine(7);
    for (std::int8_t &a : A)
      a = static_cast<std::int8_t>(engine() % 256);
    for (std::int8_t &b : B)
      b = static_cast<std::int8_t>(engine() % 256);
  }

  /// An item is one multiplication with its addition.
  void report(benchmark::State &state) const {
    testing_support::report(state, M * N * K, A.size() + B.size() + C.size() * sizeof(std::int32_t));
  }

  std::size_t M, N, K;
  std::vector<std::int8_t> A, B;
  std::vector<std::int32_t> C;
};

// A layer of 512 inputs and 256 outputs for a batch of 128: 320 KiB in all, which a second-level cache holds.
inline void gemmI8Sizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(128)->ArgName("rows")->Unit(benchmark::kMicrosecond);
}
