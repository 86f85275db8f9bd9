// By hand: two bytes are the same if they differ in nothing, or in bit 5 alone and are letters. Four vectors a test.
#include "equal_ignoring_case.h"
#include "equal_ignoring_case_bench_case.h"

#if defined(__AVX512BW__) || defined(__AVX2__)
#include <algorithm>
#include <bit>
#include <cstring>
#include <immintrin.h>

namespace {

#if defined(__AVX512BW__)
constexpr std::size_t kBytes = 64;
#else
constexpr std::size_t kBytes = 32;
#endif
typedef std::uint8_t Bytes __attribute__((vector_size(kBytes)));

/// Bit i: byte i is not zero.
std::uint64_t nonZero(Bytes x) {
#if defined(__AVX512BW__)
  return _mm512_test_epi8_mask(reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(x));
#else
  const __m256i isZero = _mm256_cmpeq_epi8(reinterpret_cast<__m256i>(x), _mm256_setzero_si256());
  return static_cast<std::uint32_t>(~_mm256_movemask_epi8(isZero));
#endif
}

/// Not zero where the texts differ.
Bytes difference(const char *a, const char *b) {
  Bytes x, y;
  std::memcpy(&x, a, kBytes);
  std::memcpy(&y, b, kBytes);
  const Bytes letter = (x | 0x20) - 'a'; // below 26 for letters
  const Bytes counts = letter < 26 ? Bytes{} + 0xdf : Bytes{} + 0xff;
  return (x ^ y) & counts;
}

std::size_t expertCompare(const char *a, const char *b, std::size_t size) {
  if (size < kBytes)
    return text::firstDifferenceIgnoringCase(a, b, size);
  std::size_t i = 0;
  for (; i + 4 * kBytes <= size; i += 4 * kBytes) {
    const Bytes first = difference(a + i, b + i) | difference(a + i + kBytes, b + i + kBytes);
    const Bytes second =
        difference(a + i + 2 * kBytes, b + i + 2 * kBytes) | difference(a + i + 3 * kBytes, b + i + 3 * kBytes);
    if (nonZero(first | second) != 0)
      break;
  }
  for (; i < size; i += kBytes) {
    i = std::min(i, size - kBytes); // the last vector overlaps the one before, which is equal
    if (const std::uint64_t different = nonZero(difference(a + i, b + i)))
      return i + static_cast<std::size_t>(std::countr_zero(different));
  }
  return size;
}

void BM_EqualIgnoringCase_Expert_hand(benchmark::State &state) {
  const auto &[a, b] = testing_support::caseFor<EqualIgnoringCaseCase>(state);
  std::string changed = a;
  for (std::size_t code = 0; code < 0x10000; ++code) { // each pair of bytes, in a text of 63 to 318
    changed[code % 63] = static_cast<char>(code >> 8);
    std::string other = changed.substr(0, 63 + code % 256);
    other[code % 63] = static_cast<char>(code);
    if (expertCompare(changed.data(), other.data(), other.size()) !=
        text::firstDifferenceIgnoringCase(changed.data(), other.data(), other.size())) {
      state.SkipWithError("the expert and the kernel disagree");
      return;
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(expertCompare(a.data(), b.data(), a.size()));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, a.size(), 2 * a.size());
}
BENCHMARK(BM_EqualIgnoringCase_Expert_hand)->Apply(equalIgnoringCaseSizes);

} // namespace
#endif
