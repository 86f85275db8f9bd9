// By hand for AVX-512 VBMI2: a bit for each of 64 characters, quoted ones by a carry-less product, positions by
// compression of bytes.
#include "csv_separators.h"
#include "csv_separators_bench_case.h"

#if defined(__AVX512VBMI2__) && defined(__PCLMUL__)
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

/// Writes base + i for each bit i and nothing behind; returns the place behind them.
std::uint32_t *writePositions(std::uint64_t bits, std::uint32_t base, std::uint32_t *to) {
  const auto count = static_cast<std::size_t>(std::popcount(bits));
  __m512i found = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(kNumbers.data()));
  for (std::size_t i = 0; i < count; i += 16) {
    const auto mask = static_cast<__mmask16>(_bzhi_u32(0xffff, static_cast<unsigned>(count - i)));
    const __m512i numbers = _mm512_maskz_cvtepu8_epi32(mask, _mm512_castsi512_si128(found));
    _mm512_mask_storeu_epi32(to + i, mask, _mm512_add_epi32(numbers, _mm512_set1_epi32(static_cast<int>(base))));
    found = _mm512_maskz_alignr_epi64(0x3f, found, found, 2); // the next 16
  }
  return to + count;
}

std::size_t expertFind(const char *text, std::uint32_t *positions, std::size_t size, char separator) {
  std::uint32_t *to = positions;
  std::uint64_t quoted = 0; // all bits: the block begins within quotes
  for (std::size_t i = 0; i < size; i += 64) {
    const __mmask64 valid = size - i < 64 ? (1ull << (size - i)) - 1 : ~0ull;
    const __m512i x = _mm512_maskz_loadu_epi8(valid, text + i);
    const std::uint64_t quotes = _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('"'));
    const std::uint64_t ends =
        _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8(separator)) | _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('\n'));
    const __m128i product =
        _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(quotes)), _mm_set1_epi8(-1), 0);
    quoted ^= static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)); // the xor of all quotes up to here
    to = writePositions(ends & ~(quoted | quotes) & valid, static_cast<std::uint32_t>(i), to);
    quoted = 0 - (quoted >> 63);
  }
  return static_cast<std::size_t>(to - positions);
}

void BM_CsvSeparators_Expert_hand(benchmark::State &state) {
  auto &[text, positions] = testing_support::caseFor<CsvSeparatorsCase>(state);
  std::vector<std::uint32_t> expected = positions;
  for (std::size_t cut = 0; cut < 100; ++cut) {
    const std::size_t size = text.size() - cut;
    const std::size_t count = csv::findSeparators(text.data() + cut, expected.data(), size, ',');
    if (expertFind(text.data() + cut, positions.data(), size, ',') != count || positions != expected) {
      state.SkipWithError("the expert and the kernel disagree");
      return;
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(expertFind(text.data(), positions.data(), text.size(), ','));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, text.size(), text.size());
}
BENCHMARK(BM_CsvSeparators_Expert_hand)->Apply(csvSeparatorsSizes);

} // namespace
#endif
