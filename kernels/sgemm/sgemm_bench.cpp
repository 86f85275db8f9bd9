#include "sgemm.h"
#include "sgemm_bench_case.h"

namespace {

void BM_Sgemm(benchmark::State &state) {
  SgemmCase &run = sgemmCase(state);
  for (auto _ : state) {
    blas::sgemm(run.A.data(), run.B.data(), run.C.data(), run.M, run.N, run.K);
    benchmark::DoNotOptimize(run.C.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Sgemm)->Apply(sgemmSizes);

} // namespace
