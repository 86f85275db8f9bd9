#include "mandelbrot.h"

#include <benchmark/benchmark.h>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

struct View {
  float left, top, step;
  int maxIterations;
};

// The whole set, and a part of its boundary where neighbours differ much.
constexpr View kViews[] = {{-2.25f, -1.5f, 3.0f / 256, 256}, {-0.7625f, 0.0875f, 0.0375f / 256, 512}};

void BM_Mandelbrot(benchmark::State &state) {
  constexpr std::size_t kEdge = 256;
  const View &view = kViews[state.range(0)];
  std::vector<int> iterations(kEdge * kEdge);
  for (auto _ : state) {
    fractals::mandelbrot(view.left, view.top, view.step, kEdge, kEdge, view.maxIterations, iterations.data());
    benchmark::DoNotOptimize(iterations.data());
    benchmark::ClobberMemory();
  }
  // An item is one step of one point.
  const std::int64_t steps = std::accumulate(iterations.begin(), iterations.end(), std::int64_t{0});
  state.SetItemsProcessed(state.iterations() * steps);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(iterations.size() * sizeof(int)));
}
BENCHMARK(BM_Mandelbrot)->Arg(0)->Arg(1)->ArgName("view")->Unit(benchmark::kMillisecond);

} // namespace
