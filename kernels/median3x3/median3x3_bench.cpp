#include "median3x3.h"
#include "median3x3_bench_case.h"

namespace {

void BM_Median3x3(benchmark::State &state) {
  auto &run = testing_support::caseFor<Median3x3Case>(state);
  for (auto _ : state) {
    filters::median3x3(run.in.data(), run.out.data(), run.height, run.width);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Median3x3)->Apply(median3x3Sizes);

} // namespace
