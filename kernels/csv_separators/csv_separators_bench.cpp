#include "csv_separators.h"
#include "csv_separators_bench_case.h"

namespace {

void BM_CsvSeparators(benchmark::State &state) {
  auto &[text, positions] = testing_support::caseFor<CsvSeparatorsCase>(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(csv::findSeparators(text.data(), positions.data(), text.size(), ','));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, text.size(), text.size());
}
BENCHMARK(BM_CsvSeparators)->Apply(csvSeparatorsSizes);

} // namespace
