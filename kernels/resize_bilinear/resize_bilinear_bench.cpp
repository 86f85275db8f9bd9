#include "resize_bilinear.h"
#include "resize_bilinear_bench_case.h"

namespace {

void BM_ResizeBilinear(benchmark::State &state) {
  auto &run = testing_support::caseFor<ResizeBilinearCase>(state);
  for (auto _ : state) {
    scaling::resizeBilinear(run.in.data(), run.inHeight, run.inWidth, run.out.data(), run.outHeight, run.outWidth);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_ResizeBilinear)->Apply(resizeBilinearSizes);

} // namespace
