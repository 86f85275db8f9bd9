#include "spmv_csr.h"
#include "spmv_csr_bench_case.h"

namespace {

void BM_SpmvCsr(benchmark::State &state) {
  SpmvCase &run = spmvCase(state);
  for (auto _ : state) {
    sparse::spmvCsr(run.values.data(), run.columns.data(), run.rowBegin.data(), run.x.data(), run.y.data(), run.rows);
    benchmark::DoNotOptimize(run.y.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_SpmvCsr)->Apply(spmvSizes);

} // namespace
