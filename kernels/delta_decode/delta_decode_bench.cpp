#include "delta_decode.h"
#include "delta_decode_bench_case.h"

namespace {

void BM_DeltaDecode(benchmark::State &state) {
  auto &run = testing_support::caseFor<DeltaDecodeCase>(state);
  for (auto _ : state) {
    coding::deltaDecode(run.deltas.data(), run.values.data(), run.deltas.size(), 1000);
    benchmark::DoNotOptimize(run.values.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_DeltaDecode)->Arg(kDeltaDecodeCount)->ArgName("count")->Unit(benchmark::kMicrosecond);

} // namespace
