#include "gelu.h"
#include "gelu_bench_case.h"

namespace {

void BM_Gelu(benchmark::State &state) {
  auto &run = testing_support::caseFor<GeluCase>(state);
  for (auto _ : state) {
    activation::gelu(run.in.data(), run.out.data(), run.in.size());
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Gelu)->Apply(geluSizes);

} // namespace
