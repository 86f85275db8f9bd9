#include "partition_less.h"
#include "partition_less_bench_case.h"

namespace {

void BM_PartitionLess(benchmark::State &state) {
  auto &run = testing_support::caseFor<PartitionLessCase>(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        selection::partitionLess(run.values.data(), run.values.size(), run.pivot, run.less.data(), run.others.data()));
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_PartitionLess)->Apply(partitionLessSizes);

} // namespace
