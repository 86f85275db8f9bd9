#include "alpha_blend.h"
#include "alpha_blend_bench_case.h"

namespace {

void BM_AlphaBlend(benchmark::State &state) {
  auto &run = testing_support::caseFor<AlphaBlendCase>(state);
  for (auto _ : state) {
    color::alphaBlend(run.src.data(), run.dst.data(), run.pixels);
    benchmark::DoNotOptimize(run.dst.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_AlphaBlend)->Apply(alphaBlendSizes);

} // namespace
