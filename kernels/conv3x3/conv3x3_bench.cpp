#include "conv3x3.h"
#include "conv3x3_bench_case.h"

namespace {

void BM_Conv3x3(benchmark::State &state) {
  Conv3x3Case &run = conv3x3Case(state);
  for (auto _ : state) {
    filters::conv3x3(run.in.data(), run.weights.data(), run.out.data(), run.height, run.width);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Conv3x3)->Apply(conv3x3Sizes);

} // namespace
