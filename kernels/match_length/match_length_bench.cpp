#include "match_length.h"
#include "match_length_bench_case.h"

namespace {

void BM_MatchLength(benchmark::State &state) {
  auto &run = testing_support::caseFor<MatchLengthCase>(state);
  for (auto _ : state) {
    lz::matchLengths(run.text.data(), run.text.size(), run.candidates.data(), run.positions.data(), run.lengths.data(),
                     run.lengths.size(), MatchLengthCase::kLimit);
    benchmark::DoNotOptimize(run.lengths.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_MatchLength)->Arg(kMatchLengthSize)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace
