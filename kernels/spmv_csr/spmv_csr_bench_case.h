// What the kernel and the expert multiply in the benchmark: the same matrix and vector.
#pragma once

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

/// A square matrix with 20 to 100 elements in each row, at random columns in ascending order.
struct SpmvCase {
  explicit SpmvCase(const benchmark::State &state)
      : rows(static_cast<std::size_t>(state.range(0))), rowBegin{0}, x(rows), y(rows) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t begin = columns.size(), count = 20 + engine() % 81;
      while (columns.size() < begin + count)
        columns.push_back(static_cast<std::uint32_t>(engine() % rows));
      const auto first = columns.begin() + static_cast<std::ptrdiff_t>(begin);
      std::sort(first, columns.end());
      columns.erase(std::unique(first, columns.end()), columns.end());
      rowBegin.push_back(static_cast<std::uint32_t>(columns.size()));
    }
    values.resize(columns.size());
    for (float &element : values)
      element = value(engine);
    for (float &element : x)
      element = value(engine);
  }

  /// An item is one element of the matrix: one multiplication with its addition.
  void report(benchmark::State &state) const {
    const std::size_t words = values.size() + columns.size() + rowBegin.size() + x.size() + y.size();
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(words * 4));
  }

  std::size_t rows;
  std::vector<std::uint32_t> columns, rowBegin;
  std::vector<float> values, x, y;
};

/// Made once: Google Benchmark calls a benchmark several times for each of its results.
inline SpmvCase &spmvCase(const benchmark::State &state) {
  static std::map<std::int64_t, SpmvCase> cases;
  return cases.try_emplace(state.range(0), state).first->second;
}

inline void spmvSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(2000)->Arg(20000)->ArgName("rows")->Unit(benchmark::kMicrosecond);
}
