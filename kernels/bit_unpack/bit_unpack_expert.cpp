// The same values, 16 or 8 at a time: bytes are shuffled so that each lane has the ones that its value is in, then each
// lane is shifted by its own distance. The shuffles are the same for every step, because 8 values of any width end with
// a byte.
#include "bit_unpack.h"
#include "bit_unpack_bench_case.h"

#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)
#define BIT_UNPACK_EXPERT
#include <immintrin.h>

namespace {

__m512i bytesAt(__m512i places, __m512i from) { // with all lanes in a mask: g++ 12 warns of the form without
  return _mm512_maskz_permutexvar_epi8(~0ull, places, from);
}

void bitUnpackInLanes(const std::uint8_t *packed, std::uint32_t *values, std::size_t count, unsigned bits) {
  alignas(64) std::uint8_t bytes[64];
  alignas(64) std::uint32_t distances[16];
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned byte = 0; byte < 4; ++byte)
      bytes[4 * i + byte] = static_cast<std::uint8_t>(i * bits / 8 + byte);
    distances[i] = i * bits % 8;
  }
  const __m512i low = _mm512_load_si512(bytes), high = _mm512_add_epi8(low, _mm512_set1_epi8(4));
  const __m512i distance = _mm512_load_si512(distances);
  const __m512i mask = _mm512_set1_epi32(static_cast<int>(bits == 32 ? ~0u : (1u << bits) - 1));
  const __mmask64 step = bits == 32 ? ~0ull : (1ull << 2 * bits) - 1; // 16 values are 2 * bits bytes
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16, packed += 2 * bits) {
    const __m512i in = _mm512_maskz_loadu_epi8(step, packed);
    const __m512i shifted = _mm512_shrdv_epi32(bytesAt(low, in), bytesAt(high, in), distance);
    _mm512_storeu_si512(values + i, _mm512_and_si512(shifted, mask));
  }
  coding::bitUnpack(packed, values + i, count - i, bits);
}

} // namespace

#elif defined(__AVX2__)
#define BIT_UNPACK_EXPERT
#include <immintrin.h>

namespace {

void bitUnpackInLanes(const std::uint8_t *packed, std::uint32_t *values, std::size_t count, unsigned bits) {
  const auto bytesAt = [&](std::size_t begin) { // of a load that holds two values, each in the lower half of 64 bits
    return _mm_loadu_si128(reinterpret_cast<const __m128i *>(packed + begin));
  };
  alignas(32) std::uint8_t bytes[2][32];
  alignas(32) std::uint64_t distances[2][4];
  unsigned begins[4];
  for (unsigned i = 0; i < 8; ++i) {
    begins[i / 2] = i / 2 * 2 * bits / 8;
    for (unsigned byte = 0; byte < 8; ++byte)
      bytes[i / 4][i % 4 * 8 + byte] = static_cast<std::uint8_t>(i * bits / 8 - begins[i / 2] + byte);
    distances[i / 4][i % 4] = i * bits % 8;
  }
  const __m256i mask = _mm256_set1_epi32(static_cast<int>(bits == 32 ? ~0u : (1u << bits) - 1));
  const auto four = [&](unsigned half) {
    const __m256i in = _mm256_set_m128i(bytesAt(begins[2 * half + 1]), bytesAt(begins[2 * half]));
    const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i *>(bytes[half]));
    const __m256i distance = _mm256_load_si256(reinterpret_cast<const __m256i *>(distances[half]));
    return _mm256_castsi256_ps(_mm256_srlv_epi64(_mm256_shuffle_epi8(in, order), distance));
  };
  std::size_t i = 0;
  for (; i + 16 + 128 / bits <= count; i += 8, packed += bits) { // no load passes the end
    const __m256i both = _mm256_castps_si256(_mm256_shuffle_ps(four(0), four(1), _MM_SHUFFLE(2, 0, 2, 0)));
    const __m256i inOrder = _mm256_permute4x64_epi64(both, _MM_SHUFFLE(3, 1, 2, 0));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(values + i), _mm256_and_si256(inOrder, mask));
  }
  coding::bitUnpack(packed, values + i, count - i, bits);
}

} // namespace

#endif

#if defined(BIT_UNPACK_EXPERT)

namespace {

void BM_BitUnpack_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<BitUnpackCase>(state);
  const auto bits = static_cast<unsigned>(state.range(0));
  std::vector<std::uint32_t> expected(BitUnpackCase::kCount);
  coding::bitUnpack(run.packed.data(), expected.data(), BitUnpackCase::kCount, bits);
  bitUnpackInLanes(run.packed.data(), run.values.data(), BitUnpackCase::kCount, bits);
  testing_support::timeExpert(state, "the lanes", run.values == expected, [&] {
    bitUnpackInLanes(run.packed.data(), run.values.data(), BitUnpackCase::kCount, bits);
    benchmark::DoNotOptimize(run.values.data());
  });
  run.report(state);
}
BENCHMARK(BM_BitUnpack_Expert_hand)
    ->Arg(kBitUnpackSmall)
    ->Arg(kBitUnpackLarge)
    ->ArgName("bits")
    ->Unit(benchmark::kMicrosecond);

} // namespace

#endif
