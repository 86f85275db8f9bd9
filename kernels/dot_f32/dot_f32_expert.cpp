// By hand: eight sums of a vector each, as many as multiplications with addition are in flight.
#include "dot_f32.h"
#include "dot_f32_bench_case.h"

#if defined(__AVX512BW__) || defined(__AVX2__)

#include <cmath>
#include <cstring>

namespace {

#if defined(__AVX512BW__)
constexpr std::size_t kBytes = 64;
#else
constexpr std::size_t kBytes = 32;
#endif
typedef float Vector __attribute__((vector_size(kBytes)));
constexpr std::size_t kLanes = kBytes / sizeof(float), kSums = 8;

Vector load(const float *from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

float dot(const float *a, const float *b, std::size_t size) {
  Vector sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums * kLanes <= size; i += kSums * kLanes)
    for (std::size_t k = 0; k < kSums; ++k)
      sums[k] += load(a + i + k * kLanes) * load(b + i + k * kLanes);
  for (; i + kLanes <= size; i += kLanes)
    sums[0] += load(a + i) * load(b + i);
  for (std::size_t half = kSums / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k)
      sums[k] += sums[k + half];
  float sum = 0.0f;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    sum += sums[0][lane];
  for (; i < size; ++i)
    sum += a[i] * b[i];
  return sum;
}

void BM_DotF32_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<DotF32Case>(state);
  const float expected = linear::dot(run.a.data(), run.b.data(), run.a.size());
  testing_support::timeExpert(
      state, "the expert",
      !(!(std::abs(dot(run.a.data(), run.b.data(), run.a.size()) - expected) <= 1e-4f * std::abs(expected))),
      [&] { benchmark::DoNotOptimize(dot(run.a.data(), run.b.data(), run.a.size())); });
  run.report(state);
}
BENCHMARK(BM_DotF32_Expert_hand)->Apply(dotF32Sizes);

} // namespace

#endif
