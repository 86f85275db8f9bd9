#include <benchmark/benchmark.h>

static void BM_Other(benchmark::State &state) {
  for (auto _ : state)
    benchmark::ClobberMemory();
}
BENCHMARK(BM_Other);
