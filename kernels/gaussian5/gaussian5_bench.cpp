#include "gaussian5.h"
#include "gaussian5_bench_case.h"

namespace {

void BM_Gaussian5(benchmark::State &state) {
  auto &run = testing_support::caseFor<Gaussian5Case>(state);
  for (auto _ : state) {
    filters::gaussian5(run.in.data(), run.out.data(), run.height, run.width);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Gaussian5)->Apply(gaussian5Sizes);

} // namespace
