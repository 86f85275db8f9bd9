#include "dequantize_q4.h"
#include "dequantize_q4_bench_case.h"

namespace {

void BM_DequantizeQ4(benchmark::State &state) {
  auto &run = testing_support::caseFor<DequantizeQ4Case>(state);
  for (auto _ : state) {
    quant::dequantizeQ4(run.packed.data(), run.scales.data(), run.out.data(), run.blocks);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_DequantizeQ4)->Apply(dequantizeQ4Sizes);

} // namespace
