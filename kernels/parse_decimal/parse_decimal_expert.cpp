// By hand for AVX-512 VBMI2: first where the lines of 4 KiB end, without a branch for each; then four lines of up to 16
// digits at a time.
#include "parse_decimal.h"
#include "parse_decimal_bench_case.h"

#if defined(__AVX512VBMI2__)
#include <algorithm>
#include <array>
#include <bit>
#include <immintrin.h>
#include <numeric>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // vectors without a value, in headers of g++ 12
#endif

namespace {

alignas(64) constexpr auto kNumbers = [] {
  std::array<std::uint8_t, 64> numbers{};
  std::iota(numbers.begin(), numbers.end(), std::uint8_t{0});
  return numbers;
}();

/// Writes base + i for each bit i; what lies behind may be overwritten. Returns the place behind them.
std::uint32_t *writePositions(std::uint64_t bits, std::uint32_t base, std::uint32_t *to) {
  std::uint32_t *const end = to + std::popcount(bits);
  __m512i found = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(kNumbers.data()));
  for (; to < end; to += 16) {
    const __m512i numbers = _mm512_maskz_cvtepu8_epi32(0xffff, _mm512_castsi512_si128(found));
    _mm512_storeu_si512(to, _mm512_add_epi32(numbers, _mm512_set1_epi32(static_cast<int>(base))));
    found = _mm512_maskz_alignr_epi64(0x3f, found, found, 2); // the next 16
  }
  return end;
}

/// The digits between ends[-1] and ends[0], one by one.
std::uint32_t parseLine(const char *text, const std::uint32_t *ends) {
  std::uint32_t value = 0;
  for (std::uint32_t i = ends[-1] + 1; i != ends[0]; ++i)
    value = value * 10 + static_cast<std::uint32_t>(text[i] - '0');
  return value;
}

void parseFourLines(const char *text, const std::uint32_t *ends, std::uint32_t *values) {
  const __m128i end = _mm_loadu_si128(reinterpret_cast<const __m128i *>(ends));
  const __m128i before = _mm_loadu_si128(reinterpret_cast<const __m128i *>(ends - 1));
  // The 16 characters that lie before an end begin with so many that are not of its line.
  const __m128i foreign = _mm_add_epi32(_mm_sub_epi32(before, end), _mm_set1_epi32(17));
  if (ends[0] < 16 || _mm_movemask_ps(_mm_castsi128_ps(foreign)) != 0) {
    for (int i = 0; i < 4; ++i)
      values[i] = parseLine(text, ends + i);
    return;
  }
  const __m256i numbers =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const auto fourDigits = [&](int line) { // of the line and the one after the next
    const __m256i x = _mm256_loadu2_m128i(reinterpret_cast<const __m128i *>(text + ends[line + 2] - 16),
                                          reinterpret_cast<const __m128i *>(text + ends[line] - 16));
    const __m256i lines = _mm256_add_epi8(_mm256_setr_m128i(_mm_setzero_si128(), _mm_set1_epi8(8)),
                                          _mm256_set1_epi8(static_cast<char>(4 * line)));
    const __m256i count = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(foreign), lines);
    const __m256i digits =
        _mm256_andnot_si256(_mm256_cmpgt_epi8(count, numbers), _mm256_sub_epi8(x, _mm256_set1_epi8('0')));
    return _mm256_madd_epi16(_mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010a)), _mm256_set1_epi32(0x00010064));
  };
  const __m256i four = _mm256_packus_epi32(fourDigits(0), fourDigits(1));
  const __m256i eight = _mm256_madd_epi16(four, _mm256_set1_epi32(0x00012710));
  const __m256i all = _mm256_add_epi64(_mm256_mul_epu32(eight, _mm256_set1_epi64x(100'000'000)),
                                       _mm256_srli_epi64(eight, 32)); // the upper eight digits come first
  const __m256i four32 = _mm256_permutevar8x32_epi32(all, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(values), _mm256_castsi256_si128(four32));
}

/// For texts below 4 GiB.
std::size_t expertParse(const char *text, std::uint32_t *values, std::size_t size) {
  constexpr std::size_t kPart = 4096;
  std::uint32_t ends[kPart + 32]; // the first one: where the line before the first ends
  ends[0] = ~std::uint32_t{0};
  std::uint32_t *line = ends + 1, *last = line;
  std::size_t count = 0;
  for (std::size_t i = 0; i < size;) {
    for (std::size_t stop = std::min(size, i + kPart); i < stop; i += 64) {
      const __mmask64 valid = size - i < 64 ? (1ull << (size - i)) - 1 : ~0ull;
      const __m512i x = _mm512_maskz_loadu_epi8(valid, text + i); // zeros, which are no digits, behind the end
      const std::uint64_t lineEnds = _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('\n'));
      const __m512i digits = _mm512_sub_epi8(x, _mm512_set1_epi8('0'));
      const std::uint64_t others = _mm512_cmpge_epu8_mask(digits, _mm512_set1_epi8(10)) & ~lineEnds;
      const std::uint64_t before = (others & (0 - others)) - 1; // the bits below the first of them, or all
      last = writePositions(lineEnds & before, static_cast<std::uint32_t>(i), last);
      if (others != 0)
        stop = size = i;
    }
    for (line = ends + 1; line + 4 <= last; line += 4, count += 4)
      parseFourLines(text, line, values + count);
    last = std::copy(line - 1, last, ends);
    line = ends + 1;
  }
  for (; line < last; ++line)
    values[count++] = parseLine(text, line);
  return count;
}

void BM_ParseDecimal_Expert_hand(benchmark::State &state) {
  auto &[text, values] = testing_support::caseFor<ParseDecimalCase>(state);
  std::vector<std::uint32_t> expected(values.size());
  for (std::size_t cut = 0; cut < 100; ++cut) {
    const std::size_t size = text.size() - cut;
    const std::size_t count = decimal::parseLines(text.data() + cut, expected.data(), size);
    if (expertParse(text.data() + cut, values.data(), size) != count || values != expected) {
      state.SkipWithError("the expert and the kernel disagree");
      return;
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(expertParse(text.data(), values.data(), text.size()));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, values.size(), text.size() + values.size() * 4);
}
BENCHMARK(BM_ParseDecimal_Expert_hand)->Apply(parseDecimalSizes);

} // namespace
#endif
