#include "sobel3x3.h"
#include "sobel3x3_bench_case.h"

namespace {

void BM_Sobel3x3(benchmark::State &state) {
  auto &run = testing_support::caseFor<Sobel3x3Case>(state);
  for (auto _ : state) {
    filters::sobel3x3(run.in.data(), run.out.data(), run.height, run.width);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Sobel3x3)->Apply(sobel3x3Sizes);

} // namespace
