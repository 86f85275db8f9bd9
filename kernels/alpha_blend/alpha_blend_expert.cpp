// By hand: both products of a channel and their sum by one operation on bytes, the division by a product.
#include "alpha_blend.h"
#include "alpha_blend_bench_case.h"

#if defined(__AVX512BW__) || defined(__AVX2__)

#include <cstring>
#include <immintrin.h>

namespace {

#if defined(__AVX512BW__)
using Bytes = __m512i;
#define SIMD(operation) _mm512_##operation
#else
using Bytes = __m256i;
#define SIMD(operation) _mm256_##operation
#endif

constexpr std::size_t kPixels = sizeof(Bytes) / 4;

Bytes load(const std::uint8_t *from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  return bytes;
}

Bytes everyLane(long long low, long long high) {
  Bytes bytes;
  for (std::size_t i = 0; i < sizeof(bytes) / 8; ++i)
    bytes[i] = i % 2 ? high : low;
  return bytes;
}

/// Pairs of (src, dst) bytes and, in `alpha`, alpha twice for each. With bytes from -128 and weights from 0 to 255,
/// src · alpha + dst · (255 - alpha) becomes a signed sum of 16 bits, less by 128 · 255; and (n + 127) / 255 is
/// (n + 128) · 257 / 2^16, for every n up to 255^2. What is to be added to the sum then is 2^15: the sign bit.
Bytes blend(Bytes pairs, Bytes alpha) {
  const Bytes weights = alpha ^ SIMD(set1_epi16)(-0x100), sign = SIMD(set1_epi16)(-0x8000);
  const Bytes sums = SIMD(maddubs_epi16)(weights, pairs ^ SIMD(set1_epi8)(-0x80));
  return SIMD(mulhi_epu16)(sums ^ sign, SIMD(set1_epi16)(257));
}

void alphaBlend(const std::uint8_t *src, std::uint8_t *dst, std::size_t pixels) {
  // Where the shuffle finds the alphas of the pixels that unpacklo and unpackhi choose.
  const Bytes low = everyLane(0x0303030303030303, 0x0707070707070707);
  const Bytes high = everyLane(0x0b0b0b0b0b0b0b0b, 0x0f0f0f0f0f0f0f0f);
  std::size_t i = 0;
  for (; i + kPixels <= pixels; i += kPixels) {
    const Bytes s = load(src + 4 * i), d = load(dst + 4 * i);
    const Bytes result = SIMD(packus_epi16)(blend(SIMD(unpacklo_epi8)(s, d), SIMD(shuffle_epi8)(s, low)),
                                            blend(SIMD(unpackhi_epi8)(s, d), SIMD(shuffle_epi8)(s, high)));
    std::memcpy(dst + 4 * i, &result, sizeof(result));
  }
  for (std::size_t channel = 4 * i; channel < 4 * pixels; ++channel) {
    const unsigned alpha = src[channel / 4 * 4 + 3];
    dst[channel] = static_cast<std::uint8_t>((src[channel] * alpha + dst[channel] * (255 - alpha) + 127) / 255);
  }
}

void BM_AlphaBlend_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<AlphaBlendCase>(state);
  std::vector<std::uint8_t> expected = run.dst, blended = run.dst;
  color::alphaBlend(run.src.data(), expected.data(), run.pixels);
  alphaBlend(run.src.data(), blended.data(), run.pixels);
  testing_support::timeExpert(state, "the vectors", blended == expected, [&] {
    alphaBlend(run.src.data(), run.dst.data(), run.pixels);
    benchmark::DoNotOptimize(run.dst.data());
  });
  run.report(state);
}
BENCHMARK(BM_AlphaBlend_Expert_hand)->Apply(alphaBlendSizes);

} // namespace

#endif
