#include "matching_rows.h"
#include "matching_rows_bench_case.h"

namespace {

void BM_MatchingRows(benchmark::State &state) {
  auto &run = testing_support::caseFor<MatchingRowsCase>(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(columns::matchingRows(run.values.data(), run.codes.data(), run.values.size(), run.low,
                                                   run.high, run.key, run.rows.data()));
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_MatchingRows)->Apply(matchingRowsSizes);

} // namespace
