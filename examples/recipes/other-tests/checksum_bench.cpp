#include "checksum.h"

#include <benchmark/benchmark.h>

#include <vector>

static void BM_Checksum(benchmark::State &state) {
  const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(state.range(0)), 77);
  for (auto _ : state)
    benchmark::DoNotOptimize(checksum(bytes.data(), bytes.size()));
}
BENCHMARK(BM_Checksum)->Arg(8192);
