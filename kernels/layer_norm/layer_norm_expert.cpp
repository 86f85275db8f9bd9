// The same by hand: both sums in four vectors each, so that no addition waits for the one before.
#include "layer_norm.h"
#include "layer_norm_bench_case.h"

#include <cmath>
#include <cstring>

#if defined(__AVX512BW__)
#define LAYER_NORM_LANES 16
#elif defined(__AVX2__)
#define LAYER_NORM_LANES 8
#endif

#ifdef LAYER_NORM_LANES
namespace {

constexpr std::size_t kLanes = LAYER_NORM_LANES;
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));

Floats load(const float *from) {
  Floats vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

float total(Floats vector) {
  float lanes[kLanes];
  std::memcpy(lanes, &vector, sizeof lanes);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k)
      lanes[k] += lanes[k + half];
  return lanes[0];
}

/// Sum over x of `add`, which adds its second argument's term to its first, vectors and single elements alike.
template <class Add> float sumOf(const float *x, std::size_t size, Add add) {
  Floats sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 * kLanes <= size; i += 4 * kLanes)
    for (std::size_t k = 0; k < 4; ++k)
      sums[k] = add(sums[k], load(x + i + k * kLanes));
  for (; i + kLanes <= size; i += kLanes)
    sums[0] = add(sums[0], load(x + i));
  float sum = total((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < size; ++i)
    sum = add(sum, x[i]);
  return sum;
}

void expert(const LayerNormCase &run, float *out) {
  const auto columns = static_cast<float>(run.columns);
  for (std::size_t r = 0; r < run.kRows; ++r, out += run.columns) {
    const float *x = run.in.data() + r * run.columns;
    const float mean = sumOf(x, run.columns, [](auto sum, auto value) { return sum + value; }) / columns;
    const auto addSquare = [mean](auto sum, auto value) { return sum + (value - mean) * (value - mean); };
    const float inverse = 1.0f / std::sqrt(sumOf(x, run.columns, addSquare) / columns + run.kEps);
    const auto normalised = [=](auto value, auto gamma, auto beta) { return (value - mean) * inverse * gamma + beta; };
    std::size_t c = 0;
    for (; c + kLanes <= run.columns; c += kLanes) {
      const Floats y = normalised(load(x + c), load(&run.gamma[c]), load(&run.beta[c]));
      std::memcpy(out + c, &y, sizeof y);
    }
    for (; c < run.columns; ++c)
      out[c] = normalised(x[c], run.gamma[c], run.beta[c]);
  }
}

void BM_LayerNorm_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<LayerNormCase>(state);
  std::vector<float> expected(run.out.size());
  norm::layerNorm(run.in.data(), run.gamma.data(), run.beta.data(), expected.data(), run.kRows, run.columns, run.kEps);
  expert(run, run.out.data());
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.out[i] - expected[i]) <= 1e-4f)) {
      state.SkipWithError("the expert and the kernel disagree");
      return;
    }
  for (auto _ : state) {
    expert(run, run.out.data());
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_LayerNorm_Expert_hand)->Apply(layerNormSizes);

} // namespace
#endif
