#include "prefix_decode.h"
#include "prefix_decode_bench_case.h"

namespace {

void BM_PrefixDecode(benchmark::State &state) {
  auto &run = testing_support::caseFor<PrefixDecodeCase>(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        coding::prefixDecode(run.in.data(), run.in.size(), run.table.data(), run.out.data(), run.out.size()));
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_PrefixDecode)->Arg(kPrefixDecodeCount)->ArgName("count")->Unit(benchmark::kMicrosecond);

} // namespace
