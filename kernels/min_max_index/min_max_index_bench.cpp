#include "min_max_index.h"
#include "min_max_index_bench_case.h"

namespace {

void BM_MinMaxIndex(benchmark::State &state) {
  auto &run = testing_support::caseFor<MinMaxIndexCase>(state);
  float smallest = 0, largest = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(extremes::minMaxIndex(run.values.data(), run.values.size(), &smallest, &largest));
    benchmark::DoNotOptimize(smallest);
    benchmark::DoNotOptimize(largest);
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_MinMaxIndex)->Apply(minMaxIndexSizes);

} // namespace
