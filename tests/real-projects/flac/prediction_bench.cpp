extern "C" {
#include "private/fixed.h"
#include "private/lpc.h"
}

#include <benchmark/benchmark.h>

#include <vector>

static void fixed(benchmark::State &state) {
  std::vector<FLAC__int32> data(4104, 5), residual(4096);
  for (auto _ : state) {
    FLAC__fixed_compute_residual(data.data() + 8, 4096, 3, residual.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(fixed);

static void lpc(benchmark::State &state) {
  const std::vector<FLAC__int32> residual(4096, 3), coefficients = {700, -300, 20, 11, -7, 5, 3, -1};
  std::vector<FLAC__int32> data(4128, 1);
  for (auto _ : state) {
    FLAC__lpc_restore_signal(residual.data(), 4096, coefficients.data(), 8, 9, data.data() + 32);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(lpc);
