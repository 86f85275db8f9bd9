// The same products by hand: row k of B, once for each row of C in a vector, times the k-th element of each row of A.
#include "batched_gemm4.h"
#include "batched_gemm4_bench_case.h"

#include <cmath>

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <cstring>
#include <immintrin.h>
#include <utility>

namespace {

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 16; // a whole matrix is one vector
typedef float Vector __attribute__((vector_size(64)));
Vector repeated(const float *row) {
  return (Vector)_mm512_maskz_broadcast_f32x4(0xffff,
                                              _mm_loadu_ps(row)); // g++ 12 warns about its header without a mask
}
#else
constexpr std::size_t kLanes = 8; // two rows of a matrix are
typedef float Vector __attribute__((vector_size(32)));
Vector repeated(const float *row) {
  return (Vector)_mm256_broadcast_ps(reinterpret_cast<const __m128 *>(row));
}
#endif

/// Element K of each row, four times.
template <std::size_t K, std::size_t... Lane> Vector column(Vector left, std::index_sequence<Lane...>) {
  return __builtin_shufflevector(left, left, (Lane / 4 * 4 + K)...);
}

void multiply(const float *A, const float *B, float *C, std::size_t count) {
  constexpr std::make_index_sequence<kLanes> kAll{};
  for (std::size_t b = 0; b < count; ++b, B += 16) {
    const Vector row0 = repeated(B), row1 = repeated(B + 4), row2 = repeated(B + 8), row3 = repeated(B + 12);
    for (std::size_t part = 0; part < 16; part += kLanes, A += kLanes, C += kLanes) {
      Vector left;
      std::memcpy(&left, A, sizeof left);
      Vector sum = column<0>(left, kAll) * row0;
      sum += column<1>(left, kAll) * row1;
      sum += column<2>(left, kAll) * row2;
      sum += column<3>(left, kAll) * row3;
      std::memcpy(C, &sum, sizeof sum);
    }
  }
}

bool agreesWithKernel(const BatchedGemm4Case &run) {
  std::vector<float> expected(run.C.size());
  blas::batchedGemm4(run.A.data(), run.B.data(), expected.data(), run.count);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.C[i] - expected[i]) <= 2e-6f))
      return false;
  return true;
}

void BM_BatchedGemm4_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<BatchedGemm4Case>(state);
  multiply(run.A.data(), run.B.data(), run.C.data(), run.count);
  testing_support::timeExpert(state, "the expert", agreesWithKernel(run), [&] {
    multiply(run.A.data(), run.B.data(), run.C.data(), run.count);
    benchmark::DoNotOptimize(run.C.data());
  });
  run.report(state);
}
BENCHMARK(BM_BatchedGemm4_Expert_hand)->Apply(batchedGemm4Sizes);

} // namespace
#endif
