#include "bit_unpack.h"
#include "bit_unpack_bench_case.h"

namespace {

void BM_BitUnpack(benchmark::State &state) {
  auto &run = testing_support::caseFor<BitUnpackCase>(state);
  const auto bits = static_cast<unsigned>(state.range(0));
  for (auto _ : state) {
    coding::bitUnpack(run.packed.data(), run.values.data(), BitUnpackCase::kCount, bits);
    benchmark::DoNotOptimize(run.values.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_BitUnpack)->Arg(kBitUnpackSmall)->Arg(kBitUnpackLarge)->ArgName("bits")->Unit(benchmark::kMicrosecond);

} // namespace
