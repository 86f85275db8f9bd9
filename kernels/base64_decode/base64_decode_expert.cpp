// By hand for AVX-512 VBMI: 64 characters at a time. A block with an error or padding is left to the kernel.
#include "base64_decode.h"
#include "base64_decode_bench_case.h"

#if defined(__AVX512VBMI__)
#include <array>
#include <immintrin.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // vectors without a value, in headers of g++ 12
#endif

namespace {

/// Of ASCII: the value of a digit, and 0x80 for others.
constexpr std::array<std::uint8_t, 128> kValueOf = [] {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::uint8_t, 128> values{};
  values.fill(0x80);
  for (std::uint8_t value = 0; value < 64; ++value)
    values[static_cast<unsigned char>(kDigits[value])] = value;
  return values;
}();

/// Three of four bytes, the highest first.
constexpr std::array<std::uint8_t, 64> kPack = [] {
  std::array<std::uint8_t, 64> pack{};
  for (std::size_t i = 0; i < 48; ++i)
    pack[i] = static_cast<std::uint8_t>(i / 3 * 4 + 2 - i % 3);
  return pack;
}();

void writeBlock(__m512i values, std::uint8_t *out) {
  const __m512i twelve = _mm512_maddubs_epi16(values, _mm512_set1_epi32(0x01400140));
  const __m512i bits = _mm512_madd_epi16(twelve, _mm512_set1_epi32(0x00011000));
  const __m512i bytes = _mm512_permutexvar_epi8(_mm512_loadu_si512(kPack.data()), bits);
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), _mm512_castsi512_si256(bytes));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(out + 32), _mm512_extracti32x4_epi32(bytes, 2));
}

/// Whole pairs of blocks; returns the number of characters.
std::size_t decodeBlocks(const char *text, std::uint8_t *out, std::size_t size) {
  const __m512i low = _mm512_loadu_si512(kValueOf.data()), high = _mm512_loadu_si512(kValueOf.data() + 64);
  std::size_t i = 0;
  for (; i + 128 <= size; i += 128, out += 96) {
    const __m512i first = _mm512_loadu_si512(text + i), second = _mm512_loadu_si512(text + i + 64);
    const __m512i firstValues = _mm512_permutex2var_epi8(low, first, high); // by the lower seven bits
    const __m512i secondValues = _mm512_permutex2var_epi8(low, second, high);
    if (_mm512_movepi8_mask((first | firstValues) | (second | secondValues)) != 0)
      break;
    writeBlock(firstValues, out);
    writeBlock(secondValues, out + 48);
  }
  return i;
}

std::size_t expertDecode(const char *text, std::uint8_t *out, std::size_t size) {
  if (size % 4 != 0)
    return base64::kNotBase64;
  const std::size_t done = decodeBlocks(text, out, size);
  const std::size_t rest = base64::decode(text + done, out + done / 4 * 3, size - done);
  return rest == base64::kNotBase64 ? rest : done / 4 * 3 + rest;
}

void BM_Base64Decode_Expert_hand(benchmark::State &state) {
  auto &[text, out] = testing_support::caseFor<Base64DecodeCase>(state);
  std::vector<char> changed = text;
  std::vector<std::uint8_t> expected = out;
  const auto agree = [&] {
    const std::size_t count = base64::decode(changed.data(), expected.data(), changed.size());
    return expertDecode(changed.data(), out.data(), changed.size()) == count && out == expected;
  };
  bool isRight = agree();
  for (std::size_t code = 0; code < 256 && isRight; ++code) { // each in another place of the second block
    changed[64 + code % 64] = static_cast<char>(code);
    isRight = agree();
    changed[64 + code % 64] = text[64 + code % 64];
  }
  testing_support::timeExpert(state, "the expert", isRight,
                              [&] { benchmark::DoNotOptimize(expertDecode(text.data(), out.data(), text.size())); });
  testing_support::report(state, text.size(), text.size() + out.size());
}
BENCHMARK(BM_Base64Decode_Expert_hand)->Apply(base64DecodeSizes);

} // namespace
#endif
