// By hand: minima over all, maxima over blocks. The first block with the largest value is remembered, and only it is
// searched for the place; a block without a larger one than before costs a comparison.
#include "min_max_index.h"
#include "min_max_index_bench_case.h"

#if defined(__AVX512BW__) || defined(__AVX2__)

#include <algorithm>
#include <cstring>
#include <immintrin.h>

namespace {

#if defined(__AVX512BW__)
constexpr std::size_t kBytes = 64;
#else
constexpr std::size_t kBytes = 32;
#endif
typedef float Vector __attribute__((vector_size(kBytes)));
constexpr std::size_t kLanes = kBytes / sizeof(float), kBlock = 512; // values, a multiple of 4 * kLanes

Vector load(const float *from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

Vector lesser(Vector a, Vector b) {
  return a < b ? a : b;
}

Vector greater(Vector a, Vector b) {
  return a > b ? a : b;
}

bool isAnyAbove(Vector a, float value) {
#if defined(__AVX512BW__)
  return _mm512_cmp_ps_mask(a, _mm512_set1_ps(value), _CMP_GT_OQ) != 0;
#else
  return _mm256_movemask_ps(_mm256_cmp_ps(a, _mm256_set1_ps(value), _CMP_GT_OQ)) != 0;
#endif
}

std::size_t minMaxIndex(const float *values, std::size_t size, float *smallest, float *largest) {
  Vector least[4];
  for (Vector &vector : least)
    vector = Vector{} + values[0];
  float greatest = values[0];
  std::size_t first = 0, i = 0; // the largest value stands at or behind `first`
  while (i + 4 * kLanes <= size) {
    const std::size_t begin = i, end = std::min(begin + kBlock, size);
    Vector above[4] = {load(values + i), load(values + i), load(values + i), load(values + i)};
    for (; i + 4 * kLanes <= end; i += 4 * kLanes)
      for (std::size_t k = 0; k < 4; ++k) {
        const Vector lanes = load(values + i + k * kLanes);
        least[k] = lesser(lanes, least[k]);
        above[k] = greater(lanes, above[k]);
      }
    above[0] = greater(greater(above[0], above[1]), greater(above[2], above[3]));
    if (isAnyAbove(above[0], greatest)) {
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        greatest = std::max(greatest, above[0][lane]);
      first = begin;
    }
  }
  least[0] = lesser(lesser(least[0], least[1]), lesser(least[2], least[3]));
  *smallest = values[0];
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    *smallest = std::min(*smallest, least[0][lane]);
  for (; i < size; ++i) {
    *smallest = std::min(*smallest, values[i]);
    if (values[i] > greatest) {
      greatest = values[i];
      first = i;
    }
  }
  *largest = greatest;
  return static_cast<std::size_t>(std::find(values + first, values + size, greatest) - values);
}

void BM_MinMaxIndex_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<MinMaxIndexCase>(state);
  float least = 0, greatest = 0, smallest = 0, largest = 0;
  const std::size_t index = extremes::minMaxIndex(run.values.data(), run.values.size(), &least, &greatest);
  const auto search = [&] { return minMaxIndex(run.values.data(), run.values.size(), &smallest, &largest); };
  const bool agrees = search() == index && smallest == least && largest == greatest;
  testing_support::timeExpert(state, "the expert", agrees, [&] {
    benchmark::DoNotOptimize(search());
    benchmark::DoNotOptimize(smallest);
    benchmark::DoNotOptimize(largest);
  });
  run.report(state);
}
BENCHMARK(BM_MinMaxIndex_Expert_hand)->Apply(minMaxIndexSizes);

} // namespace

#endif
