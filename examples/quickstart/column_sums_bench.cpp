#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <vector>

void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns);

static void BM_ColumnSums(benchmark::State &state) {
  const std::size_t size = 512;
  std::vector<float> matrix(size * size, 1.5f), sums(size);
  for (auto _ : state) {
    columnSums(matrix.data(), sums.data(), size, size);
    benchmark::DoNotOptimize(sums.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(matrix.size() * sizeof(float)));
}
BENCHMARK(BM_ColumnSums);
