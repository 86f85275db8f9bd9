// What the kernel and the expert intersect in the benchmark.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// Two lists of one length with gaps of 1 to 7: a quarter of each is in the other, and nothing predicts which.
struct InnerJoinSortedCase {
  explicit InnerJoinSortedCase(std::size_t size) : a(size), b(size), common(size) {
    std::mt19937 engine(7);
    for (auto *list : {&a, &b}) {
      std::uint32_t last = 0;
      for (std::uint32_t &number : *list)
        number = last += 1 + static_cast<std::uint32_t>(engine() % 7);
    }
  }

  /// An item is a number of either list.
  void report(benchmark::State &state) const {
    testing_support::report(state, a.size() + b.size(), (a.size() + b.size()) * sizeof(std::uint32_t));
  }

  std::vector<std::uint32_t> a, b, common;
};

// 400 kB a list: both, and what they have in common, are in a second-level cache. A third of that a processor's branch
// predictor has learned within a few calls.
inline void innerJoinSortedSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(100000)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
