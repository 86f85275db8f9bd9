#include "sums.h"

#include <benchmark/benchmark.h>

#include <vector>

static void BM_Running(benchmark::State &state) {
  std::vector<unsigned> x(std::size_t(state.range(0)), 3), y(x.size());
  for (auto _ : state) {
    sums::running(x.data(), y.data(), x.size());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_Running)->Arg(4000);
