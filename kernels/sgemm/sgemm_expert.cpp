// What a well-kept library needs for the same product: OpenBLAS on one thread.
#include "sgemm.h"
#include "sgemm_bench_case.h"

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>

namespace {

/// The part of OpenBLAS's C interface that is used here; its enumerators are fixed by the CBLAS standard.
struct OpenBlas {
  static constexpr int kRowMajor = 101, kNoTranspose = 111;

  void (*gemm)(int order, int transposeA, int transposeB, int M, int N, int K, float alpha, const float *A, int lda,
               const float *B, int ldb, float beta, float *C, int ldc) = nullptr;
  void (*setThreads)(int) = nullptr;
  const char *(*coreName)() = nullptr;
};

/// Loaded when first needed: so its start-up is no part of the kernel's own runs, and it chooses its code for this CPU,
/// which it does while it is loaded, whatever the environment asks for.
const OpenBlas *openBlas() {
  static const OpenBlas *const loaded = []() -> const OpenBlas * {
    unsetenv("OPENBLAS_CORETYPE");
    void *library = dlopen(SGEMM_OPENBLAS, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return nullptr;
    static OpenBlas functions;
    functions.gemm = reinterpret_cast<decltype(functions.gemm)>(dlsym(library, "cblas_sgemm"));
    functions.setThreads = reinterpret_cast<decltype(functions.setThreads)>(dlsym(library, "openblas_set_num_threads"));
    functions.coreName = reinterpret_cast<decltype(functions.coreName)>(dlsym(library, "openblas_get_corename"));
    if (!functions.gemm || !functions.setThreads || !functions.coreName)
      return nullptr;
    functions.setThreads(1);
    return &functions;
  }();
  return loaded;
}

bool agreesWithKernel(const SgemmCase &run) {
  std::vector<float> expected(run.C.size());
  blas::sgemm(run.A.data(), run.B.data(), expected.data(), run.M, run.N, run.K);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.C[i] - expected[i]) <= 0.001f))
      return false;
  return true;
}

void BM_Sgemm_Expert_OpenBLAS(benchmark::State &state) {
  const OpenBlas *library = openBlas();
  if (!library) {
    state.SkipWithError("cannot load " SGEMM_OPENBLAS);
    return;
  }
  SgemmCase &run = sgemmCase(state);
  const int M = static_cast<int>(run.M), N = static_cast<int>(run.N), K = static_cast<int>(run.K);
  const auto multiply = [&] {
    library->gemm(OpenBlas::kRowMajor, OpenBlas::kNoTranspose, OpenBlas::kNoTranspose, M, N, K, 1.0f, run.A.data(), K,
                  run.B.data(), N, 0.0f, run.C.data(), N);
  };
  multiply();
  if (!agreesWithKernel(run)) {
    state.SkipWithError("OpenBLAS and the kernel disagree");
    return;
  }
  for (auto _ : state) {
    multiply();
    benchmark::DoNotOptimize(run.C.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
  state.SetLabel(library->coreName());
}
BENCHMARK(BM_Sgemm_Expert_OpenBLAS)->Apply(sgemmSizes);

} // namespace
