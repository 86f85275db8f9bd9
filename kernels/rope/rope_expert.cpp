// The same by hand: whole pairs in a vector, and each part of the tables is spread out once for all heads.
#include "rope.h"
#include "rope_bench_case.h"

#include <cmath>
#include <cstring>

#if defined(__AVX512BW__)
#define ROPE_LANES 16
#define ROPE_NEIGHBOURS 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#define ROPE_TWICE 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
#elif defined(__AVX2__)
#define ROPE_LANES 8
#define ROPE_NEIGHBOURS 1, 0, 3, 2, 5, 4, 7, 6
#define ROPE_TWICE 0, 0, 1, 1, 2, 2, 3, 3
#endif

#ifdef ROPE_LANES
namespace {

constexpr std::size_t kLanes = ROPE_LANES;
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));
typedef float Half __attribute__((vector_size(kLanes / 2 * sizeof(float))));

/// Elements of a table, each twice.
Floats loadTwice(const float *from) {
  Half half;
  std::memcpy(&half, from, sizeof half);
  return __builtin_shufflevector(half, half, ROPE_TWICE);
}

/// For heads of whole vectors, as the benchmark has them, and nearly every model.
void expert(float *x, const float *cosines, const float *sines, std::size_t tokens, std::size_t heads,
            std::size_t pairs) {
  Floats signs;
  for (std::size_t k = 0; k < kLanes; ++k)
    signs[k] = k % 2 == 0 ? -1.0f : 1.0f;
  for (std::size_t t = 0; t < tokens; ++t, x += heads * 2 * pairs, cosines += pairs, sines += pairs) {
    for (std::size_t i = 0; i < pairs; i += kLanes / 2) {
      const Floats cosine = loadTwice(cosines + i), sine = loadTwice(sines + i) * signs;
      for (std::size_t h = 0; h < heads; ++h) {
        float *head = x + 2 * (h * pairs + i);
        Floats values;
        std::memcpy(&values, head, sizeof values);
        values = values * cosine + __builtin_shufflevector(values, values, ROPE_NEIGHBOURS) * sine;
        std::memcpy(head, &values, sizeof values);
      }
    }
  }
}

void BM_Rope_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<RopeCase>(state);
  std::vector<float> expected = run.x;
  attention::rope(expected.data(), run.cosines.data(), run.sines.data(), run.tokens, run.kHeads, run.kPairs);
  expert(run.x.data(), run.cosines.data(), run.sines.data(), run.tokens, run.kHeads, run.kPairs);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.x[i] - expected[i]) <= 1e-5f)) {
      state.SkipWithError("the expert and the kernel disagree");
      return;
    }
  for (auto _ : state) {
    expert(run.x.data(), run.cosines.data(), run.sines.data(), run.tokens, run.kHeads, run.kPairs);
    benchmark::DoNotOptimize(run.x.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Rope_Expert_hand)->Apply(ropeSizes);

} // namespace
#endif
