#include "sort8_rows.h"
#include "sort8_rows_bench_case.h"

#include <algorithm>

namespace {

void BM_Sort8Rows(benchmark::State &state) {
  auto &run = testing_support::caseFor<Sort8RowsCase>(state);
  for (auto _ : state) {
    std::copy(run.unsorted.begin(), run.unsorted.end(), run.values.begin());
    sorting::sort8Rows(run.values.data(), run.rows);
    benchmark::DoNotOptimize(run.values.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Sort8Rows)->Apply(sort8RowsSizes);

} // namespace
