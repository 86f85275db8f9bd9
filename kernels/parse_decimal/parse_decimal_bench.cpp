#include "parse_decimal.h"
#include "parse_decimal_bench_case.h"

namespace {

void BM_ParseDecimal(benchmark::State &state) {
  auto &[text, values] = testing_support::caseFor<ParseDecimalCase>(state);
  if (decimal::parseLines(text.data(), values.data(), text.size()) != values.size()) {
    state.SkipWithError("not all numbers were read");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(decimal::parseLines(text.data(), values.data(), text.size()));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, values.size(), text.size() + values.size() * 4);
}
BENCHMARK(BM_ParseDecimal)->Apply(parseDecimalSizes);

} // namespace
