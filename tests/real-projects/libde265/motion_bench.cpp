#include "fallback-motion.h"

#include <benchmark/benchmark.h>

#include <vector>

static void weighted(benchmark::State &state) {
  const std::vector<int16_t> in(64 * 64, 5000);
  std::vector<uint8_t> out(64 * 64);
  for (auto _ : state) {
    put_weighted_pred_8_fallback(out.data(), 64, in.data(), 64, 64, 64, 70, 3, 12);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(weighted);

static void average(benchmark::State &state) {
  const std::vector<int16_t> one(64 * 64, 5000), other(64 * 64, 9000);
  std::vector<uint8_t> out(64 * 64);
  for (auto _ : state) {
    put_weighted_pred_avg_8_fallback(out.data(), 64, one.data(), other.data(), 64, 64, 64);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(average);
