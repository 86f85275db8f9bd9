#include "column_sums.h"
#include <benchmark/benchmark.h>
#include <cstdint>
#include <vector>

static void BM_ColumnSums(benchmark::State &state) {
  const std::size_t size = 512;
  std::vector<float> matrix(size * size, 1.5f), sums(size);
  for (auto _ : state) {
    column_sums(matrix.data(), sums.data(), size, size);
    benchmark::DoNotOptimize(sums.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(matrix.size() * sizeof(float)));
}
BENCHMARK(BM_ColumnSums);
