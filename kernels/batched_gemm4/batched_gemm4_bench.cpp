#include "batched_gemm4.h"
#include "batched_gemm4_bench_case.h"

namespace {

void BM_BatchedGemm4(benchmark::State &state) {
  auto &run = testing_support::caseFor<BatchedGemm4Case>(state);
  for (auto _ : state) {
    blas::batchedGemm4(run.A.data(), run.B.data(), run.C.data(), run.count);
    benchmark::DoNotOptimize(run.C.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_BatchedGemm4)->Apply(batchedGemm4Sizes);

} // namespace
