extern "C" {
#include "main_FLP.h"
}

#include <benchmark/benchmark.h>

#include <vector>

static void energy(benchmark::State &state) {
  const std::vector<float> data(320, 0.5f);
  for (auto _ : state)
    benchmark::DoNotOptimize(silk_energy_FLP(data.data(), 320));
}
BENCHMARK(energy);

static void warped(benchmark::State &state) {
  const std::vector<float> data(240, 0.5f);
  float correlation[25];
  for (auto _ : state) {
    silk_warped_autocorrelation_FLP(correlation, data.data(), 0.2f, 240, 24);
    benchmark::DoNotOptimize(correlation);
  }
}
BENCHMARK(warped);
