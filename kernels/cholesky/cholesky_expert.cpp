// The same factor by hand: tiles of a vector's length, kept transposed in a scratch matrix U = Lᵀ, so that every
// product is a vector of U times one number of U. n must be a multiple of kLanes, as the benchmark's is.
#include "cholesky.h"
#include "cholesky_bench_case.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace {

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 8;
#else
constexpr std::size_t kLanes = 4;
#endif
typedef double Vector __attribute__((vector_size(kLanes * sizeof(double))));

Vector load(const double *from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

/// Exchanges blocks of Size × Size beside the diagonal.
template <std::size_t Size, std::size_t... Lane> void exchange(Vector &a, Vector &b, std::index_sequence<Lane...>) {
  const Vector low = __builtin_shufflevector(a, b, (Lane & Size ? kLanes + Lane - Size : Lane)...);
  b = __builtin_shufflevector(a, b, (Lane & Size ? kLanes + Lane : Lane + Size)...);
  a = low;
}

template <std::size_t Size = kLanes / 2> void transpose(Vector *rows) {
  for (std::size_t i = 0; i < kLanes; ++i)
    if (!(i & Size))
      exchange<Size>(rows[i], rows[i + Size], std::make_index_sequence<kLanes>());
  if constexpr (Size > 1)
    transpose<Size / 2>(rows);
}

void factor(double *A, std::size_t n) {
  static std::vector<double> U;
  const std::size_t stride = n + kLanes; // not a power of two: rows below one another would share a few cache sets
  U.resize(n * stride);
  for (std::size_t j = 0; j < n; j += kLanes) {
    double inverse[kLanes] = {};
    for (std::size_t i = j; i < n; i += kLanes) {
      Vector tile[kLanes]; // tile[c] = column j + c of rows i …
      for (std::size_t r = 0; r < kLanes; ++r)
        tile[r] = load(&A[(i + r) * n + j]);
      transpose(tile);
      for (std::size_t k = 0; k < j; ++k) {
        const Vector rows = load(&U[k * stride + i]);
        for (std::size_t c = 0; c < kLanes; ++c)
          tile[c] -= U[k * stride + j + c] * rows;
      }
#pragma GCC unroll 8
      for (std::size_t d = 0; d < kLanes; ++d) {
        if (i == j)
          inverse[d] = 1.0 / std::sqrt(tile[d][d]);
        tile[d] *= inverse[d];
        std::memcpy(&U[(j + d) * stride + i], &tile[d], sizeof(Vector));
#pragma GCC unroll 8
        for (std::size_t c = d + 1; c < kLanes; ++c)
          tile[c] -= U[(j + d) * stride + j + c] * tile[d];
      }
      transpose(tile);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < kLanes; ++r)
        if (i == j)
          std::memcpy(&A[(i + r) * n + j], &tile[r], (r + 1) * sizeof(double));
        else
          std::memcpy(&A[(i + r) * n + j], &tile[r], sizeof tile[r]);
    }
  }
}

bool agreesWithKernel(const CholeskyCase &run) {
  std::vector<double> expected = run.A;
  lapack::cholesky(expected.data(), run.n);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.L[i] - expected[i]) <= 1e-9))
      return false;
  return true;
}

void BM_Cholesky_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<CholeskyCase>(state);
  const auto factorCopy = [&] {
    std::ranges::copy(run.A, run.L.begin());
    factor(run.L.data(), run.n);
  };
  factorCopy();
  testing_support::timeExpert(state, "the expert", agreesWithKernel(run), [&] {
    factorCopy();
    benchmark::DoNotOptimize(run.L.data());
  });
  run.report(state);
}
BENCHMARK(BM_Cholesky_Expert_hand)->Apply(choleskySizes);

} // namespace
#endif
