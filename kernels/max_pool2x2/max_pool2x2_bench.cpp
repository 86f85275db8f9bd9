#include "max_pool2x2.h"
#include "max_pool2x2_bench_case.h"

namespace {

void BM_MaxPool2x2(benchmark::State &state) {
  auto &run = testing_support::caseFor<MaxPool2x2Case>(state);
  for (auto _ : state) {
    pooling::maxPool2x2(run.in.data(), run.out.data(), run.channels, run.kHeight, run.kWidth);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_MaxPool2x2)->Apply(maxPool2x2Sizes);

} // namespace
