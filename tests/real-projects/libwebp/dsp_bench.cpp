#include "src/dsp/dsp.h"

#include <benchmark/benchmark.h>

#include <vector>

static void luma(benchmark::State &state) {
  VP8GetCPUInfo = nullptr; // the rows in C
  WebPInitConvertARGBToYUV();
  std::vector<uint32_t> argb(1920, 0x80ff40u);
  std::vector<uint8_t> y(1920);
  for (auto _ : state) {
    WebPConvertARGBToY(argb.data(), y.data(), 1920);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(luma);

static void sse(benchmark::State &state) {
  VP8GetCPUInfo = nullptr;
  VP8SSIMDspInit();
  std::vector<uint8_t> a(4096, 3), b(4096, 200);
  for (auto _ : state)
    benchmark::DoNotOptimize(VP8AccumulateSSE(a.data(), b.data(), 4096));
}
BENCHMARK(sse);
