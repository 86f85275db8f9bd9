#include "normalise.h"

#include <benchmark/benchmark.h>

// Through the interface: what it costs besides the kernel is measured on both sides.
static void BM_Normalise(benchmark::State &state) {
  std::vector<std::uint32_t> values(static_cast<std::size_t>(state.range(0)));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::uint32_t>((i + 3) * 2654435761u);
  for (auto _ : state)
    benchmark::DoNotOptimize(normalise(values, 7));
}
BENCHMARK(BM_Normalise)->Arg(16384);
