#include "libyuv/row.h"

#include <benchmark/benchmark.h>

#include <vector>

static void sobel(benchmark::State &state) {
  std::vector<uint8_t> a(1922, 10), b(1922, 20), out(1920);
  for (auto _ : state) {
    libyuv::SobelXRow_C(a.data(), b.data(), a.data(), out.data(), 1920);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(sobel);

static void blend(benchmark::State &state) {
  std::vector<uint8_t> over(7680, 100), under(7680, 200), out(7680);
  for (auto _ : state) {
    libyuv::ARGBBlendRow_C(over.data(), under.data(), out.data(), 1920);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(blend);
