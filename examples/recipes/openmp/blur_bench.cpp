#include "blur.h"

#include <benchmark/benchmark.h>

#include <vector>

static void BM_BlurRows(benchmark::State &state) {
  const auto columns = static_cast<std::size_t>(state.range(0));
  std::vector<float> in(16 * columns, 1.5f), out(16 * columns);
  for (auto _ : state) {
    blurRows(in.data(), out.data(), 0, 16, columns);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_BlurRows)->Arg(1024);
