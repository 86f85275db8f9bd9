// The same values without a branch for each: in lanes, from 64 bytes at a time, or from 32 with a gather of bits
// (BMI2).
#include "varint_decode.h"
#include "varint_decode_bench_case.h"

#include <bit>
#include <cstring>

#if (defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)) || (defined(__AVX2__) && defined(__BMI2__))
#include <immintrin.h>

namespace {

/// Five bytes in a row that go on.
bool isTooLong(std::uint64_t goesOn) {
  return (goesOn & goesOn >> 1 & goesOn >> 2 & goesOn >> 3 & goesOn >> 4) != 0;
}

#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)

constexpr std::size_t kBytes = 64, kValues = 64; // read and written in a step at most

// Here and below with all lanes in a mask where g++ 12 warns of the form without.
__m512i bytesAt(__m512i places, __m512i from) {
  return _mm512_maskz_permutexvar_epi8(~0ull, places, from);
}

/// The values that end in 64 bytes; returns how many, and 0 if one of them is longer than 5 bytes.
std::size_t decodeBlock(const std::uint8_t *in, std::uint32_t *values, std::size_t &used) {
  alignas(64) static constexpr auto kCount = [] {
    struct {
      std::uint8_t bytes[64], quarters[64]; // 0, 1, 2, …, and 0, 0, 0, 0, 1, 1, 1, 1, 2, …
    } count{};
    for (unsigned i = 0; i < 64; ++i) {
      count.bytes[i] = static_cast<std::uint8_t>(i);
      count.quarters[i] = static_cast<std::uint8_t>(i / 4);
    }
    return count;
  }();
  const __m512i block = _mm512_loadu_si512(in), places = _mm512_load_si512(kCount.bytes);
  const std::uint64_t goesOn = _mm512_movepi8_mask(block), ends = ~goesOn;
  if (isTooLong(goesOn))
    return 0;
  const __m512i payload = _mm512_and_si512(block, _mm512_set1_epi8(0x7f));
  const __m512i firsts = _mm512_maskz_compress_epi8(ends << 1 | 1, places); // of each value's bytes, where they lie
  const __m512i lasts = _mm512_maskz_compress_epi8(ends, places);
  const __m512i four = _mm512_set1_epi32(0x03020100), fifth = _mm512_set1_epi8(4);
  const auto found = static_cast<std::size_t>(std::popcount(ends));
  __m512i lane = _mm512_load_si512(kCount.quarters);
  for (std::size_t i = 0; i < found; i += 16, lane = _mm512_add_epi8(lane, _mm512_set1_epi8(16))) {
    const __m512i first = bytesAt(lane, firsts), last = bytesAt(lane, lasts);
    const __m512i from = _mm512_add_epi8(first, four), fromFifth = _mm512_add_epi8(first, fifth);
    const __mmask64 isFifth = _mm512_mask_cmple_epu8_mask(0x1111111111111111, fromFifth, last);
    const __m512i low = _mm512_maskz_permutexvar_epi8(_mm512_cmple_epu8_mask(from, last), from, payload);
    const __m512i high = _mm512_maskz_permutexvar_epi8(isFifth, fromFifth, payload);
    const __m512i pairs = _mm512_maddubs_epi16(_mm512_set1_epi16(static_cast<short>(0x8001)), low); // 14 bits
    const __m512i quads = _mm512_madd_epi16(pairs, _mm512_set1_epi32(1 << 30 | 1));                 // 28 bits
    _mm512_storeu_si512(values + i, _mm512_or_si512(quads, _mm512_maskz_slli_epi32(0xffff, high, 28)));
  }
  used += 64 - static_cast<std::size_t>(std::countl_zero(ends));
  return found;
}

#else

constexpr std::size_t kBytes = 40, kValues = 32;

/// The values that end in 32 bytes. Where they end is known before the first is decoded, so none waits for another.
std::size_t decodeBlock(const std::uint8_t *in, std::uint32_t *values, std::size_t &used) {
  const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in));
  const std::uint32_t goesOn = static_cast<std::uint32_t>(_mm256_movemask_epi8(block));
  if (isTooLong(goesOn))
    return 0;
  std::size_t found = 0;
  unsigned begin = 0;
  for (std::uint32_t ends = ~goesOn; ends != 0; ends &= ends - 1) {
    const unsigned end = static_cast<unsigned>(std::countr_zero(ends)) + 1;
    std::uint64_t word;
    std::memcpy(&word, in + begin, sizeof word);
    values[found++] = static_cast<std::uint32_t>(_pext_u64(_bzhi_u64(word, 8 * (end - begin)), 0x7f7f7f7f7f));
    begin = end;
  }
  used += begin;
  return found;
}

#endif

std::size_t varintDecodeBlocks(const std::uint8_t *in, std::size_t size, std::uint32_t *values, std::size_t count) {
  std::size_t used = 0, i = 0;
  while (size - used >= kBytes && count - i >= kValues) {
    const std::size_t found = decodeBlock(in + used, values + i, used);
    if (found == 0)
      return 0;
    i += found;
  }
  const std::size_t rest = coding::varintDecode(in + used, size - used, values + i, count - i);
  return rest == 0 && i < count ? 0 : used + rest;
}

void BM_VarintDecode_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<VarintDecodeCase>(state);
  std::vector<std::uint32_t> expected(run.values.size());
  const std::size_t size = run.in.size(), count = expected.size();
  const std::size_t used = coding::varintDecode(run.in.data(), size, expected.data(), count);
  testing_support::timeExpert(
      state, "the blocks",
      varintDecodeBlocks(run.in.data(), size, run.values.data(), count) == used && run.values == expected, [&] {
        benchmark::DoNotOptimize(varintDecodeBlocks(run.in.data(), size, run.values.data(), count));
        benchmark::DoNotOptimize(run.values.data());
      });
  run.report(state);
}
BENCHMARK(BM_VarintDecode_Expert_hand)->Arg(kVarintDecodeCount)->ArgName("count")->Unit(benchmark::kMicrosecond);

} // namespace

#endif
