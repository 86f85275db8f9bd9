#include "triangular_solve.h"
#include "triangular_solve_bench_case.h"

#include <algorithm>

namespace {

void BM_TriangularSolve(benchmark::State &state) {
  auto &run = testing_support::caseFor<TriangularSolveCase>(state);
  for (auto _ : state) {
    std::ranges::copy(run.B, run.X.begin());
    blas::triangularSolve(run.L.data(), run.X.data(), run.n, run.columns);
    benchmark::DoNotOptimize(run.X.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_TriangularSolve)->Apply(triangularSolveSizes);

} // namespace
