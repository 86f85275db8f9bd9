#include "layer_norm.h"
#include "layer_norm_bench_case.h"

namespace {

void BM_LayerNorm(benchmark::State &state) {
  auto &run = testing_support::caseFor<LayerNormCase>(state);
  for (auto _ : state) {
    norm::layerNorm(run.in.data(), run.gamma.data(), run.beta.data(), run.out.data(), run.kRows, run.columns, run.kEps);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_LayerNorm)->Apply(layerNormSizes);

} // namespace
