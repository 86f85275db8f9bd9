#include "equal_ignoring_case.h"
#include "equal_ignoring_case_bench_case.h"

namespace {

void BM_EqualIgnoringCase(benchmark::State &state) {
  const auto &[a, b] = testing_support::caseFor<EqualIgnoringCaseCase>(state);
  if (text::firstDifferenceIgnoringCase(a.data(), b.data(), a.size()) != a.size() - 1) {
    state.SkipWithError("only the last byte differs");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(text::firstDifferenceIgnoringCase(a.data(), b.data(), a.size()));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, a.size(), 2 * a.size());
}
BENCHMARK(BM_EqualIgnoringCase)->Apply(equalIgnoringCaseSizes);

} // namespace
