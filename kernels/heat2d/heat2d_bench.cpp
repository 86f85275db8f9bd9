#include "heat2d.h"
#include "heat2d_bench_case.h"

namespace {

void BM_Heat2d(benchmark::State &state) {
  auto &run = testing_support::caseFor<Heat2dCase>(state);
  for (auto _ : state) {
    stencils::heatStep(run.in.data(), run.out.data(), run.height, run.width, Heat2dCase::kRate);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Heat2d)->Apply(heat2dSizes);

} // namespace
