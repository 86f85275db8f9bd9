// By hand: two rows become one of 16 bits, and a permutation of 64 of its words gives 32 results their neighbours. What
// belongs to a column (neighbours, weights) is computed once. The order of the two directions does not matter: nothing
// is rounded in between.
#include "resize_bilinear.h"
#include "resize_bilinear_bench_case.h"

#if defined(__AVX512BW__) && defined(__AVX512VL__)

#include <algorithm>
#include <immintrin.h>

namespace {

constexpr std::size_t kBlock = 32;
using Wide = std::uint32_t __attribute__((vector_size(64)));

struct alignas(64) Words {
  std::int16_t at[kBlock] = {};

  __m512i load() const { return _mm512_load_si512(at); }
};

/// What 32 results are made of: pairs of pixels, counted from those in `first`, and pairs of weights. In the order that
/// packus undoes: four results in the first vector, four in the second, by turns.
struct Block {
  Words neighbours[2], weights[2];
  std::size_t first = 0; // of the row's vectors
};

std::vector<Block> blocksOf(std::size_t inWidth, std::size_t outWidth) {
  std::vector<Block> blocks((outWidth + kBlock - 1) / kBlock);
  const auto step = static_cast<std::int64_t>((inWidth << 16) / outWidth);
  const auto last = static_cast<std::int64_t>((inWidth - 1) << 16);
  for (std::size_t c = 0; c < blocks.size() * kBlock; ++c) {
    const std::int64_t x = std::clamp<std::int64_t>(static_cast<std::int64_t>(c) * step + step / 2 - 0x8000, 0, last);
    const std::size_t pixel = static_cast<std::size_t>(x >> 16), half = c / 4 % 2,
                      at = 2 * (c % kBlock / 8 * 4 + c % 4);
    Block &block = blocks[c / kBlock];
    if (c % kBlock == 0)
      block.first = pixel / kBlock;
    const auto left = static_cast<std::int16_t>(pixel - block.first * kBlock),
               weight = static_cast<std::int16_t>(x >> 8 & 0xff);
    block.neighbours[half].at[at] = left;
    block.neighbours[half].at[at + 1] = static_cast<std::int16_t>(left + 1);
    block.weights[half].at[at] = static_cast<std::int16_t>(256 - weight);
    block.weights[half].at[at + 1] = weight;
  }
  return blocks;
}

__mmask32 firstOf(std::size_t count) {
  return count >= kBlock ? ~__mmask32{0} : (__mmask32{1} << count) - 1;
}

/// (256 - weight) · top + weight · bottom - 2^15: signed, as the multiplication of pairs wants it.
void mixRows(const std::uint8_t *top, const std::uint8_t *bottom, int weight, std::vector<Words> &mixed,
             std::size_t size) {
  const __m512i bottomWeight = _mm512_set1_epi16(static_cast<short>(weight));
  const __m512i topWeight = _mm512_set1_epi16(static_cast<short>(256 - weight)), sign = _mm512_set1_epi16(-0x8000);
  for (std::size_t i = 0; i < size; i += kBlock) {
    const __m512i a = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(firstOf(size - i), top + i));
    const __m512i b = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(firstOf(size - i), bottom + i));
    const __m512i sum = _mm512_add_epi16(_mm512_mullo_epi16(a, topWeight), _mm512_mullo_epi16(b, bottomWeight));
    _mm512_store_si512(mixed[i / kBlock].at, sum ^ sign);
  }
}

/// For a result at least as wide: the neighbours of 32 results are within two vectors of the row.
void resizeBilinear(const std::uint8_t *in, std::size_t inHeight, std::size_t inWidth, std::uint8_t *out,
                    std::size_t outHeight, std::size_t outWidth) {
  const std::vector<Block> blocks = blocksOf(inWidth, outWidth);
  std::vector<Words> mixed(inWidth / kBlock + 2);
  const auto step = static_cast<std::int64_t>((inHeight << 16) / outHeight);
  const auto last = static_cast<std::int64_t>((inHeight - 1) << 16);
  std::int64_t next = step / 2 - 0x8000;
  for (std::size_t r = 0; r < outHeight; ++r, next += step) {
    const std::int64_t y = std::clamp<std::int64_t>(next, 0, last);
    const std::uint8_t *top = in + static_cast<std::size_t>(y >> 16) * inWidth;
    mixRows(top, y < last ? top + inWidth : top, static_cast<int>(y >> 8 & 0xff), mixed, inWidth);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const Block &block = blocks[b];
      const __m512i low = mixed[block.first].load(), high = mixed[block.first + 1].load();
      const auto results = [&](std::size_t half) {
        const __m512i pairs = _mm512_permutex2var_epi16(low, block.neighbours[half].load(), high);
        const Wide sums = (Wide)_mm512_madd_epi16(pairs, block.weights[half].load());
        return (__m512i)((sums + (256 * 0x8000 + 0x8000)) >> 16); // takes back the 2^15 of mixRows, too
      };
      const __mmask32 inside = firstOf(outWidth - b * kBlock);
      const __m256i bytes = _mm512_maskz_cvtepi16_epi8(inside, _mm512_packus_epi32(results(0), results(1)));
      _mm256_mask_storeu_epi8(out + r * outWidth + b * kBlock, inside, bytes);
    }
  }
}

void BM_ResizeBilinear_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<ResizeBilinearCase>(state);
  const auto resize = [&](auto &function, std::vector<std::uint8_t> &out) {
    function(run.in.data(), run.inHeight, run.inWidth, out.data(), run.outHeight, run.outWidth);
  };
  std::vector<std::uint8_t> expected(run.out.size());
  resize(scaling::resizeBilinear, expected);
  run.out.assign(run.out.size(), 0);
  resize(resizeBilinear, run.out);
  testing_support::timeExpert(state, "the vectors", run.out == expected, [&] {
    resize(resizeBilinear, run.out);
    benchmark::DoNotOptimize(run.out.data());
  });
  run.report(state);
}
BENCHMARK(BM_ResizeBilinear_Expert_hand)->Apply(resizeBilinearSizes);

} // namespace

#endif
