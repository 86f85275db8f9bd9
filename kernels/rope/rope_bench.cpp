#include "rope.h"
#include "rope_bench_case.h"

namespace {

void BM_Rope(benchmark::State &state) {
  auto &run = testing_support::caseFor<RopeCase>(state);
  for (auto _ : state) {
    attention::rope(run.x.data(), run.cosines.data(), run.sines.data(), run.tokens, run.kHeads, run.kPairs);
    benchmark::DoNotOptimize(run.x.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Rope)->Apply(ropeSizes);

} // namespace
