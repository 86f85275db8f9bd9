// By hand: the set as a table of bits, which shuffles look up for all bytes of a vector at once. Right for any set.
#include "byte_set_find.h"
#include "byte_set_find_bench_case.h"

#if defined(__AVX512VBMI__) || defined(__AVX2__)
#include <algorithm>
#include <bit>
#include <immintrin.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // vectors without a value, in headers of g++ 12
#endif

namespace {

#if defined(__AVX512VBMI__)
using Vector = __m512i;

std::uint64_t nonZero(Vector x) { // a bit for each byte
  return _mm512_test_epi8_mask(x, x);
}

/// Byte v / 8 of the table has bit v % 8 if v is a member. Look-ups use the lower six bits of an index, so that the
/// table of 32 bytes stands there twice, and bits of a neighbour that a shift brings in do not matter.
class Set {
public:
  explicit Set(const bool *isMember) {
    std::uint64_t members[4];
    for (std::size_t i = 0; i < 4; ++i)
      members[i] = nonZero(_mm512_loadu_si512(isMember + 64 * i));
    table_ = _mm512_broadcast_i64x4(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(members)));
  }

  /// Not zero in the places of members.
  Vector operator()(const std::uint8_t *text) const {
    const Vector x = _mm512_loadu_si512(text), row = _mm512_permutexvar_epi8(_mm512_srli_epi16(x, 3), table_);
    return row & _mm512_permutexvar_epi8(x, _mm512_set1_epi64(static_cast<long long>(0x8040201008040201)));
  }

private:
  Vector table_;
};
#else
using Vector = __m256i;

std::uint64_t nonZero(Vector x) {
  return static_cast<std::uint32_t>(~_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256())));
}

/// Byte v % 16 of a table has bit v / 16 if v is a member: one table for ASCII, and one for v + 128.
class Set {
public:
  explicit Set(const bool *isMember) : ascii_(table(isMember)), others_(table(isMember + 128)) {}

  /// Not zero in the places of members.
  Vector operator()(const std::uint8_t *text) const {
    const Vector x = _mm256_loadu_si256(reinterpret_cast<const Vector *>(text));
    // A shuffle gives zero where the top bit of an index is set.
    const Vector row = _mm256_shuffle_epi8(ascii_, x) | _mm256_shuffle_epi8(others_, x ^ _mm256_set1_epi8(-128));
    const Vector high = _mm256_srli_epi16(x, 4) & _mm256_set1_epi8(15);
    return row & _mm256_shuffle_epi8(_mm256_set1_epi64x(static_cast<long long>(0x8040201008040201)), high);
  }

private:
  static Vector table(const bool *isMember) {
    __m128i rows = _mm_setzero_si128();
    for (int i = 7; i >= 0; --i)
      rows = _mm_add_epi8(rows, rows) | _mm_loadu_si128(reinterpret_cast<const __m128i *>(isMember) + i);
    return _mm256_broadcastsi128_si256(rows);
  }

  Vector ascii_, others_;
};
#endif

std::size_t expertFind(const std::uint8_t *text, std::size_t size, const bool *isMember) {
  constexpr std::size_t kBytes = sizeof(Vector);
  if (size < kBytes)
    return text::findInSet(text, size, isMember);
  const Set members(isMember);
  std::size_t i = 0;
  for (const std::uint8_t *at = text; i + 4 * kBytes <= size; i += 4 * kBytes, at += 4 * kBytes)
    if (nonZero(members(at) | members(at + kBytes) | members(at + 2 * kBytes) | members(at + 3 * kBytes)) != 0)
      break;
  for (; i < size; i += kBytes) {
    i = std::min(i, size - kBytes); // the last vector overlaps the one before, in which there is none
    if (const std::uint64_t found = nonZero(members(text + i)))
      return i + static_cast<std::size_t>(std::countr_zero(found));
  }
  return size;
}

void BM_ByteSetFind_Expert_hand(benchmark::State &state) {
  const auto &[text, isMember] = testing_support::caseFor<ByteSetFindCase>(state);
  std::vector<std::uint8_t> changed = text;
  for (std::size_t code = 0; code < 256; ++code) { // each in another place
    const std::size_t place = text.size() - 1 - 3 * code, size = text.size() - 1 - code % 2;
    changed[place] = static_cast<std::uint8_t>(code);
    if (expertFind(changed.data(), size, isMember.data()) != text::findInSet(changed.data(), size, isMember.data())) {
      state.SkipWithError("the expert and the kernel disagree");
      return;
    }
    changed[place] = text[place];
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(expertFind(text.data(), text.size(), isMember.data()));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, text.size(), text.size());
}
BENCHMARK(BM_ByteSetFind_Expert_hand)->Apply(byteSetFindSizes);

} // namespace
#endif
