#include "gemm_i8.h"
#include "gemm_i8_bench_case.h"

namespace {

void BM_GemmI8(benchmark::State &state) {
  auto &run = testing_support::caseFor<GemmI8Case>(state);
  for (auto _ : state) {
    quantised::gemmI8(run.A.data(), run.B.data(), run.C.data(), run.M, run.N, run.K);
    benchmark::DoNotOptimize(run.C.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_GemmI8)->Apply(gemmI8Sizes);

} // namespace
