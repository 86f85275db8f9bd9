// By hand, for four bytes a pixel: Sub by running sums over four pixels; Average and Paeth, in which each pixel waits
// for the one before, with as few steps between the two as possible.
#include "png_unfilter.h"
#include "png_unfilter_bench_case.h"

#if defined(__AVX512BW__) || defined(__AVX2__)

#include <cstring>
#include <immintrin.h>

namespace {

__m128i loadPixel(const std::uint8_t *from) {
  int pixel;
  std::memcpy(&pixel, from, sizeof(pixel));
  return _mm_cvtsi32_si128(pixel);
}

void storePixel(std::uint8_t *to, __m128i value) {
  const int pixel = _mm_cvtsi128_si32(value);
  std::memcpy(to, &pixel, sizeof(pixel));
}

void sub(const std::uint8_t *in, std::uint8_t *out, std::size_t size) {
  __m128i last = _mm_setzero_si128(); // the pixel before, four times
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    __m128i sums = _mm_loadu_si128(reinterpret_cast<const __m128i *>(in + i));
    sums = _mm_add_epi8(sums, _mm_slli_si128(sums, 4));
    sums = _mm_add_epi8(_mm_add_epi8(sums, _mm_slli_si128(sums, 8)), last);
    _mm_storeu_si128(reinterpret_cast<__m128i *>(out + i), sums);
    last = _mm_shuffle_epi32(sums, 0xff);
  }
  for (; i < size; i += 4)
    storePixel(out + i, last = _mm_add_epi8(last, loadPixel(in + i)));
}

void up(const std::uint8_t *in, const std::uint8_t *above, std::uint8_t *out, std::size_t size) {
  std::size_t i = 0;
  for (; i + 32 <= size; i += 32) {
    const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(above + i));
    const __m256i coded = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + i), _mm256_add_epi8(before, coded));
  }
  for (; i < size; i += 4)
    storePixel(out + i, _mm_add_epi8(loadPixel(above + i), loadPixel(in + i)));
}

/// With ~x = 255 - x: ~((left + above) / 2) is the average of ~left and ~above that the processor rounds up. So the
/// complement of a pixel follows from that of the one before by two operations.
void average(const std::uint8_t *in, const std::uint8_t *above, std::uint8_t *out, std::size_t size) {
  const __m128i ones = _mm_set1_epi8(-1);
  __m128i complement = ones;
  for (std::size_t i = 0; i < size; i += 4) {
    const __m128i mean = _mm_avg_epu8(complement, _mm_xor_si128(loadPixel(above + i), ones));
    complement = _mm_sub_epi8(mean, loadPixel(in + i));
    storePixel(out + i, _mm_xor_si128(complement, ones));
  }
}

/// Keeps compilers from reading through `value`: from choices in the mask registers of AVX-512, which take three cycles
/// more, and from another order of sums, in which a pixel waits longer.
__m128i opaque(__m128i value) {
  asm("" : "+x"(value));
  return value;
}

__m128i choose(__m128i mask, __m128i where, __m128i elsewhere) {
#if defined(__AVX512VL__)
  return _mm_ternarylogic_epi32(mask, where, elsewhere, 0xca);
#else
  return _mm_blendv_epi8(elsewhere, where, mask);
#endif
}

/// With t = 3 corner - left - above: the larger of left and above is nearest where t <= the smaller, the smaller where
/// t >= the larger, else the corner. Equal distances are between equal values, or go to left and above, too. In 16 bits
/// a channel, of which the upper eight stay 0.
void paeth(const std::uint8_t *in, const std::uint8_t *above, std::uint8_t *out, std::size_t size) {
  const __m128i zero = _mm_setzero_si128();
  __m128i left = zero, corner = zero;
  for (std::size_t i = 0; i < size; i += 4) {
    const __m128i coded = _mm_unpacklo_epi8(loadPixel(in + i), zero), b = _mm_unpacklo_epi8(loadPixel(above + i), zero);
    const __m128i withoutLeft = opaque(_mm_sub_epi16(_mm_add_epi16(_mm_add_epi16(corner, corner), corner), b));
    const __m128i small = _mm_min_epi16(left, b), large = _mm_max_epi16(left, b), t = _mm_sub_epi16(withoutLeft, left);
    const __m128i notSmall = opaque(_mm_cmpgt_epi16(large, t)), notLarge = opaque(_mm_cmpgt_epi16(t, small));
    left = _mm_add_epi8(choose(notLarge, choose(notSmall, corner, small), large), coded);
    storePixel(out + i, _mm_packus_epi16(left, left));
    corner = b;
  }
}

void unfilter(const std::uint8_t *in, std::uint8_t *out, std::size_t rows, std::size_t size) {
  const std::vector<std::uint8_t> zeros(size);
  const std::uint8_t *above = zeros.data();
  for (std::size_t r = 0; r < rows; ++r, in += size + 1, above = out, out += size) {
    switch (in[0]) {
    case 1:
      sub(in + 1, out, size);
      break;
    case 2:
      up(in + 1, above, out, size);
      break;
    case 3:
      average(in + 1, above, out, size);
      break;
    case 4:
      paeth(in + 1, above, out, size);
      break;
    default:
      std::memcpy(out, in + 1, size);
    }
  }
}

void BM_PngUnfilter_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<PngUnfilterCase>(state);
  std::vector<std::uint8_t> expected(run.out.size());
  png::unfilter(run.in.data(), expected.data(), run.rows, run.rowBytes, PngUnfilterCase::kBytesPerPixel);
  run.out.assign(run.out.size(), 0);
  unfilter(run.in.data(), run.out.data(), run.rows, run.rowBytes);
  testing_support::timeExpert(state, "the vectors", run.out == expected && run.out == run.image, [&] {
    unfilter(run.in.data(), run.out.data(), run.rows, run.rowBytes);
    benchmark::DoNotOptimize(run.out.data());
  });
  run.report(state);
}
BENCHMARK(BM_PngUnfilter_Expert_hand)->Apply(pngUnfilterSizes);

} // namespace

#endif
