#include "softmax.h"
#include "softmax_bench_case.h"

namespace {

void BM_Softmax(benchmark::State &state) {
  auto &run = testing_support::caseFor<SoftmaxCase>(state);
  for (auto _ : state) {
    run.refill();
    activation::softmax(run.x.data(), run.kRows, run.columns);
    benchmark::DoNotOptimize(run.x.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Softmax)->Apply(softmaxSizes);

} // namespace
