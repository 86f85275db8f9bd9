// The same product by hand. Two or four neighbours of a row of B are a group of 32 bits, which one instruction
// multiplies and adds up. Groups are transposed, so that a vector has one of each of its columns of C.
// M must be a multiple of kRows, N of 2 · kLanes and K of 64, as the benchmark's are.
#include "gemm_i8.h"
#include "gemm_i8_bench_case.h"

#if defined(__AVX512VNNI__) || defined(__AVX2__)
#include <cstring>
#include <immintrin.h>
#include <numeric>
#include <utility>

namespace {

#if defined(__AVX512VNNI__)
constexpr std::size_t kLanes = 16, kGroup = 4, kRows = 8;
using Left = std::int8_t;
typedef std::int32_t Words __attribute__((vector_size(64)));

// The instruction takes unsigned bytes on one side: B + 128 is one, and sums begin with -128 times the sum of A's row.
Words widened(const std::int8_t *b) {
  return (Words)_mm512_xor_si512(_mm512_loadu_si512(b), _mm512_set1_epi8(-128));
}
Words plusProducts(Words sum, Words b, std::int32_t a) {
  return (Words)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)b, _mm512_set1_epi32(a));
}
std::int32_t firstSum(const Left *row, std::size_t K) {
  return -128 * std::accumulate(row, row + K, 0);
}
const Left *widened(const std::vector<std::int8_t> &A) {
  return A.data();
}
#else
constexpr std::size_t kLanes = 8, kGroup = 2, kRows = 4;
using Left = std::int16_t;
typedef std::int32_t Words __attribute__((vector_size(32)));

Words widened(const std::int8_t *b) {
  return (Words)_mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(b)));
}
Words plusProducts(Words sum, Words b, std::int32_t a) {
  return sum + (Words)_mm256_madd_epi16((__m256i)b, _mm256_set1_epi32(a));
}
std::int32_t firstSum(const Left *, std::size_t) {
  return 0;
}
const Left *widened(const std::vector<std::int8_t> &A) {
  static std::vector<Left> wide;
  wide.assign(A.begin(), A.end());
  return wide.data();
}
#endif

/// Exchanges blocks of Size × Size beside the diagonal.
template <std::size_t Size, std::size_t... Lane> void exchange(Words &a, Words &b, std::index_sequence<Lane...>) {
  const Words low = __builtin_shufflevector(a, b, (Lane & Size ? kLanes + Lane - Size : Lane)...);
  b = __builtin_shufflevector(a, b, (Lane & Size ? kLanes + Lane : Lane + Size)...);
  a = low;
}

template <std::size_t Size> void transpose(Words *rows) {
  for (std::size_t i = 0; i < kLanes; ++i)
    if (!(i & Size))
      exchange<Size>(rows[i], rows[i + Size], std::make_index_sequence<kLanes>());
  if constexpr (Size > 1)
    transpose<Size / 2>(rows);
}

/// kRows × (2 · kLanes) elements of C.
void multiplyTile(const Left *A, const Words *packed, const std::int32_t *first, std::int32_t *C, std::size_t N,
                  std::size_t K) {
  Words sums[kRows][2];
  for (std::size_t r = 0; r < kRows; ++r)
    sums[r][0] = sums[r][1] = Words{} + first[r];
  for (std::size_t p = 0; p < K; p += kGroup, packed += 2) {
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t group;
      std::memcpy(&group, A + r * K + p, sizeof group);
      sums[r][0] = plusProducts(sums[r][0], packed[0], group);
      sums[r][1] = plusProducts(sums[r][1], packed[1], group);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r)
    std::memcpy(C + r * N, sums[r], sizeof sums[r]);
}

void multiply(GemmI8Case &run) {
  static std::vector<Words> packed;
  static std::vector<std::int32_t> first;
  const std::size_t N = run.N, K = run.K;
  const Left *const left = widened(run.A);
  first.resize(run.M);
  for (std::size_t i = 0; i < run.M; ++i)
    first[i] = firstSum(left + i * K, K);
  packed.resize(K / kGroup * 2);
  for (std::size_t j = 0; j < N; j += 2 * kLanes) {
    for (std::size_t p = 0; p < K; p += kGroup * kLanes)
      for (std::size_t half = 0; half < 2; ++half) {
        Words block[kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          block[lane] = widened(run.B.data() + (j + half * kLanes + lane) * K + p);
        transpose<kLanes / 2>(block);
        for (std::size_t g = 0; g < kLanes; ++g)
          packed[(p / kGroup + g) * 2 + half] = block[g];
      }
    for (std::size_t i = 0; i < run.M; i += kRows)
      multiplyTile(left + i * K, packed.data(), first.data() + i, run.C.data() + i * N + j, N, K);
  }
}

void BM_GemmI8_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<GemmI8Case>(state);
  std::vector<std::int32_t> expected(run.C.size());
  quantised::gemmI8(run.A.data(), run.B.data(), expected.data(), run.M, run.N, run.K);
  multiply(run);
  testing_support::timeExpert(state, "the expert", run.C == expected, [&] {
    multiply(run);
    benchmark::DoNotOptimize(run.C.data());
  });
  run.report(state);
}
BENCHMARK(BM_GemmI8_Expert_hand)->Apply(gemmI8Sizes);

} // namespace
#endif
