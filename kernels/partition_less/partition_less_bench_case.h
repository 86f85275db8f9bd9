// What the kernel and the expert part in the benchmark.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// Random values, half of them below the pivot: nothing predicts on which side the next one is.
struct PartitionLessCase {
  explicit PartitionLessCase(std::size_t size) : values(size), less(size), others(size) {
    std::mt19937 engine(7);
    for (std::int32_t &value : values)
      value = static_cast<std::int32_t>(engine() % 2'000'000) - 1'000'000;
  }

  /// An item is a value; each is read once and written once.
  void report(benchmark::State &state) const {
    testing_support::report(state, values.size(), 2 * values.size() * sizeof(std::int32_t));
  }

  std::int32_t pivot = 0;
  std::vector<std::int32_t> values, less, others;
};

// 512 KiB of input and as much output: in a second-level cache. What is four times smaller, a processor's branch
// predictor has learned within a few calls.
inline void partitionLessSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(131072)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
