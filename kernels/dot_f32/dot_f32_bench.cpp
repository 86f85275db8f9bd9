#include "dot_f32.h"
#include "dot_f32_bench_case.h"

namespace {

void BM_DotF32(benchmark::State &state) {
  auto &run = testing_support::caseFor<DotF32Case>(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(linear::dot(run.a.data(), run.b.data(), run.a.size()));
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_DotF32)->Apply(dotF32Sizes);

} // namespace
