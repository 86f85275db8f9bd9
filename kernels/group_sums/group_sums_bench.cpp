#include "group_sums.h"
#include "group_sums_bench_case.h"

namespace {

void BM_GroupSums(benchmark::State &state) {
  auto &run = testing_support::caseFor<GroupSumsCase>(state);
  for (auto _ : state) {
    aggregation::groupSums(run.values.data(), run.groups.data(), run.values.size(), run.sums.data());
    benchmark::DoNotOptimize(run.sums.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_GroupSums)->Apply(groupSumsSizes);

} // namespace
