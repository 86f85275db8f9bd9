#include "cholesky.h"
#include "cholesky_bench_case.h"

#include <algorithm>

namespace {

void BM_Cholesky(benchmark::State &state) {
  auto &run = testing_support::caseFor<CholeskyCase>(state);
  for (auto _ : state) {
    std::ranges::copy(run.A, run.L.begin());
    lapack::cholesky(run.L.data(), run.n);
    benchmark::DoNotOptimize(run.L.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Cholesky)->Apply(choleskySizes);

} // namespace
