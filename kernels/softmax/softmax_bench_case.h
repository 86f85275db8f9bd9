// What the kernel and the expert normalise in the benchmark: the same logits.
#pragma once

#include "bench_case.h"

#include <algorithm>
#include <random>
#include <vector>

struct SoftmaxCase {
  explicit SoftmaxCase(std::size_t columnCount) : columns(columnCount), logits(kRows * columns), x(kRows * columns) {
    std::mt19937 engine(7);
    std::normal_distribution<float> value(0.0f, 3.0f);
    for (float &logit : logits)
      logit = value(engine);
  }

  /// Softmax works in place: every call needs its logits anew. The copy takes 1 to 2 percent of the kernel's time.
  void refill() { std::copy(logits.begin(), logits.end(), x.begin()); }

  void report(benchmark::State &state) const { testing_support::report(state, x.size(), 2 * x.size() * sizeof(float)); }

  static constexpr std::size_t kRows = 8; // heads
  std::size_t columns;
  std::vector<float> logits, x;
};

/// A context of 512 tokens: 16 KB and the logits that they come from, in the first-level cache.
inline void softmaxSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(512)->ArgName("columns")->Unit(benchmark::kMicrosecond);
}
