#include "kernel.h"

#include <benchmark/benchmark.h>

#include <thread>
#include <vector>

namespace {

void BM_Square(benchmark::State &state) {
  std::vector<float> x(std::size_t(state.range(0)), 2.0f), y(x.size());
  for (auto _ : state) {
    square(x.data(), y.data(), int(x.size()));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_Square)->Arg(100000);

/// Honest benchmarks may spend much time outside the timed part, per call and per iteration.
void BM_Paused(benchmark::State &state) {
  std::vector<float> x(100000, 2.0f), y(x.size());
  for (auto _ : state) {
    state.PauseTiming();
    for (float &value : x)
      benchmark::DoNotOptimize(value += 1e-3f);
    state.ResumeTiming();
    square(x.data(), y.data(), int(x.size()));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_Paused);

/// The work of two threads, of which the main thread's CPU time tells nothing.
void BM_Threads(benchmark::State &state) {
  std::vector<float> x(2000000, 2.0f), y(x.size());
  const int half = int(x.size()) / 2;
  for (auto _ : state) {
    std::thread first(square, x.data(), y.data(), half), second(square, x.data() + half, y.data() + half, half);
    first.join();
    second.join();
  }
}
BENCHMARK(BM_Threads);
BENCHMARK(BM_Threads)->UseRealTime();
BENCHMARK(BM_Threads)->MeasureProcessCPUTime();

void BM_Error(benchmark::State &state) {
  state.SkipWithError("no data");
  for (auto _ : state)
    benchmark::ClobberMemory();
}
BENCHMARK(BM_Error);

void BM_Hangs(benchmark::State &state) {
  for (auto _ : state)
    for (volatile bool forever = true; forever;) {
    }
}
BENCHMARK(BM_Hangs);

} // namespace

BENCHMARK_MAIN();
