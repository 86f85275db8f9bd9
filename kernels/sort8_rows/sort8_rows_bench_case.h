// What the kernel and the expert sort in the benchmark.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

/// Random rows. A call sorts in place, so that each needs a fresh copy, which is a few percent of the kernel's time.
struct Sort8RowsCase {
  explicit Sort8RowsCase(std::size_t rowCount) : rows(rowCount), unsorted(rowCount * 8), values(rowCount * 8) {
    std::mt19937 engine(7);
    for (std::int32_t &value : unsorted)
      value = static_cast<std::int32_t>(engine());
  }

  /// An item is a row.
  void report(benchmark::State &state) const {
    testing_support::report(state, rows, 2 * values.size() * sizeof(std::int32_t));
  }

  std::size_t rows;
  std::vector<std::int32_t> unsorted, values;
};

// 384 KiB, and as much for the original: both stay in a second-level cache. A third of that a processor's branch
// predictor has learned within a few calls.
inline void sort8RowsSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(12288)->ArgName("rows")->Unit(benchmark::kMicrosecond);
}
