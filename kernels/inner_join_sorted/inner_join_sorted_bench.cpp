#include "inner_join_sorted.h"
#include "inner_join_sorted_bench_case.h"

namespace {

void BM_InnerJoinSorted(benchmark::State &state) {
  auto &run = testing_support::caseFor<InnerJoinSortedCase>(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        postings::innerJoinSorted(run.a.data(), run.a.size(), run.b.data(), run.b.size(), run.common.data()));
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_InnerJoinSorted)->Apply(innerJoinSortedSizes);

} // namespace
