#include "png_unfilter.h"
#include "png_unfilter_bench_case.h"

namespace {

void BM_PngUnfilter(benchmark::State &state) {
  auto &run = testing_support::caseFor<PngUnfilterCase>(state);
  for (auto _ : state) {
    png::unfilter(run.in.data(), run.out.data(), run.rows, run.rowBytes, PngUnfilterCase::kBytesPerPixel);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_PngUnfilter)->Apply(pngUnfilterSizes);

} // namespace
