#include "zlib.h"

#include <benchmark/benchmark.h>

#include <vector>

static void adler(benchmark::State &state) {
  std::vector<Bytef> data(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state)
    benchmark::DoNotOptimize(adler32(1, data.data(), static_cast<uInt>(data.size())));
}
BENCHMARK(adler)->Arg(1 << 16);
