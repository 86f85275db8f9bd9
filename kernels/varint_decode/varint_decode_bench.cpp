#include "varint_decode.h"
#include "varint_decode_bench_case.h"

namespace {

void BM_VarintDecode(benchmark::State &state) {
  auto &run = testing_support::caseFor<VarintDecodeCase>(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(coding::varintDecode(run.in.data(), run.in.size(), run.values.data(), run.values.size()));
    benchmark::DoNotOptimize(run.values.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_VarintDecode)->Arg(kVarintDecodeCount)->ArgName("count")->Unit(benchmark::kMicrosecond);

} // namespace
