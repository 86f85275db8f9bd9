#include "depthwise_conv3x3.h"
#include "depthwise_conv3x3_bench_case.h"

namespace {

void BM_DepthwiseConv3x3(benchmark::State &state) {
  auto &run = testing_support::caseFor<DepthwiseConv3x3Case>(state);
  for (auto _ : state) {
    filters::depthwiseConv3x3(run.in.data(), run.weights.data(), run.bias.data(), run.out.data(), run.kHeight,
                              run.kWidth, run.channels);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_DepthwiseConv3x3)->Apply(depthwiseConv3x3Sizes);

} // namespace
