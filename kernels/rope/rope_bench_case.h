// What the kernel and the expert rotate in the benchmark: the same queries.
#pragma once

#include "bench_case.h"

#include <cmath>
#include <random>
#include <vector>

struct RopeCase {
  explicit RopeCase(std::size_t tokenCount)
      : tokens(tokenCount), x(tokens * kHeads * 2 * kPairs), cosines(tokens * kPairs), sines(tokens * kPairs) {
    std::mt19937 engine(7);
    std::normal_distribution<float> value(0.0f, 1.0f);
    for (float &element : x)
      element = value(engine);
    for (std::size_t i = 0; i < cosines.size(); ++i) {
      const double angle = double(i / kPairs) * std::pow(10000.0, -double(i % kPairs) / kPairs);
      cosines[i] = static_cast<float>(std::cos(angle));
      sines[i] = static_cast<float>(std::sin(angle));
    }
  }

  /// An item is one element. x is rotated on and on, which leaves its length alone.
  void report(benchmark::State &state) const {
    testing_support::report(state, x.size(), (2 * x.size() + cosines.size() + sines.size()) * sizeof(float));
  }

  static constexpr std::size_t kHeads = 32, kPairs = 64; // of a model with 7 billion weights
  std::size_t tokens;
  std::vector<float> x, cosines, sines;
};

/// 16 tokens: 260 KB are changed in place, in the second-level cache.
inline void ropeSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(16)->ArgName("tokens")->Unit(benchmark::kMicrosecond);
}
