// What a well-kept library needs for the same product: Eigen, on the same arrays.
#include "spmv_csr.h"
#include "spmv_csr_bench_case.h"

#include <Eigen/SparseCore>
#include <cmath>

namespace {

bool agreesWithKernel(const SpmvCase &run) {
  std::vector<float> expected(run.y.size());
  sparse::spmvCsr(run.values.data(), run.columns.data(), run.rowBegin.data(), run.x.data(), expected.data(), run.rows);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.y[i] - expected[i]) <= 0.001f))
      return false;
  return true;
}

void BM_SpmvCsr_Expert_Eigen(benchmark::State &state) {
  SpmvCase &run = spmvCase(state);
  const auto rows = static_cast<Eigen::Index>(run.rows);
  // Eigen's indices are signed.
  const std::vector<std::int32_t> columns(run.columns.begin(), run.columns.end()),
      rowBegin(run.rowBegin.begin(), run.rowBegin.end());
  using Matrix = Eigen::SparseMatrix<float, Eigen::RowMajor, std::int32_t>;
  const Eigen::Map<const Matrix> matrix(rows, rows, static_cast<Eigen::Index>(run.values.size()), rowBegin.data(),
                                        columns.data(), run.values.data());
  const Eigen::Map<const Eigen::VectorXf> x(run.x.data(), rows);
  Eigen::Map<Eigen::VectorXf> y(run.y.data(), rows);
  y.noalias() = matrix * x;
  if (!agreesWithKernel(run)) {
    state.SkipWithError("Eigen and the kernel disagree");
    return;
  }
  for (auto _ : state) {
    y.noalias() = matrix * x;
    benchmark::DoNotOptimize(run.y.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_SpmvCsr_Expert_Eigen)->Apply(spmvSizes);

} // namespace
