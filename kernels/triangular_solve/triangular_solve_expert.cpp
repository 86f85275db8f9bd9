// What a well-kept library needs for the same system: OpenBLAS on one thread.
#include "triangular_solve.h"
#include "triangular_solve_bench_case.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>

namespace {

/// The part of OpenBLAS's C interface that is used here; its enumerators are fixed by the CBLAS standard.
struct OpenBlas {
  static constexpr int kRowMajor = 101, kLeft = 141, kLower = 122, kNoTranspose = 111, kNonUnit = 131;

  void (*solve)(int order, int side, int triangle, int transpose, int diagonal, int M, int N, float alpha,
                const float *A, int lda, float *B, int ldb) = nullptr;
  void (*setThreads)(int) = nullptr;
  const char *(*coreName)() = nullptr;
};

/// Loaded when first needed: so its start-up is no part of the kernel's own runs, and it chooses its code for this CPU,
/// which it does while it is loaded, whatever the environment asks for.
const OpenBlas *openBlas() {
  static const OpenBlas *const loaded = []() -> const OpenBlas * {
    unsetenv("OPENBLAS_CORETYPE");
    void *library = dlopen(TRIANGULAR_SOLVE_OPENBLAS, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return nullptr;
    static OpenBlas functions;
    functions.solve = reinterpret_cast<decltype(functions.solve)>(dlsym(library, "cblas_strsm"));
    functions.setThreads = reinterpret_cast<decltype(functions.setThreads)>(dlsym(library, "openblas_set_num_threads"));
    functions.coreName = reinterpret_cast<decltype(functions.coreName)>(dlsym(library, "openblas_get_corename"));
    if (!functions.solve || !functions.setThreads || !functions.coreName)
      return nullptr;
    functions.setThreads(1);
    return &functions;
  }();
  return loaded;
}

bool agreesWithKernel(const TriangularSolveCase &run) {
  std::vector<float> expected = run.B;
  blas::triangularSolve(run.L.data(), expected.data(), run.n, run.columns);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.X[i] - expected[i]) <= 1e-4f))
      return false;
  return true;
}

void BM_TriangularSolve_Expert_OpenBLAS(benchmark::State &state) {
  const OpenBlas *library = openBlas();
  if (!library) {
    state.SkipWithError("cannot load " TRIANGULAR_SOLVE_OPENBLAS);
    return;
  }
  auto &run = testing_support::caseFor<TriangularSolveCase>(state);
  const int n = static_cast<int>(run.n), columns = static_cast<int>(run.columns);
  const auto solve = [&] {
    std::ranges::copy(run.B, run.X.begin());
    library->solve(OpenBlas::kRowMajor, OpenBlas::kLeft, OpenBlas::kLower, OpenBlas::kNoTranspose, OpenBlas::kNonUnit,
                   n, columns, 1.0f, run.L.data(), n, run.X.data(), columns);
  };
  solve();
  testing_support::timeExpert(state, "OpenBLAS", agreesWithKernel(run), [&] {
    solve();
    benchmark::DoNotOptimize(run.X.data());
  });
  run.report(state);
  state.SetLabel(library->coreName());
}
BENCHMARK(BM_TriangularSolve_Expert_OpenBLAS)->Apply(triangularSolveSizes);

} // namespace
