#include "row_maxima.h"

#include <benchmark/benchmark.h>

#include <vector>

static void BM_RowMaxima(benchmark::State &state) {
  const auto rows = static_cast<std::size_t>(state.range(0)), columns = static_cast<std::size_t>(state.range(1));
  std::vector<float> matrix(rows * columns), maxima(rows);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = static_cast<float>(i * 7919 % 1009);
  for (auto _ : state) {
    rowMaxima(matrix.data(), maxima.data(), rows, columns);
    benchmark::DoNotOptimize(maxima.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_RowMaxima)->Args({64, 256});
