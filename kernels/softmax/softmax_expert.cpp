// The same by hand: maximum, exponentials and sum in vectors, and a polynomial for the exponential.
#include "softmax.h"
#include "softmax_bench_case.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__AVX512BW__)
#define SOFTMAX_LANES 16
#elif defined(__AVX2__)
#define SOFTMAX_LANES 8
#endif

#ifdef SOFTMAX_LANES
namespace {

constexpr std::size_t kLanes = SOFTMAX_LANES;
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));
typedef std::uint32_t Bits __attribute__((vector_size(kLanes * sizeof(float))));

Floats load(const float *from) {
  Floats vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

/// All lanes as one, by halves.
template <class Join> float reduced(Floats vector, Join join) {
  float lanes[kLanes];
  std::memcpy(lanes, &vector, sizeof lanes);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k)
      lanes[k] = join(lanes[k], lanes[k + half]);
  return lanes[0];
}

/// For x <= 0: 2^n · 2^f with f within [-1/2, 1/2], relative error 1e-6 or less; 0 where the result is denormal.
Floats exponential(Floats x) {
  constexpr float kToInteger = 0x1.8p23f, kToPowerOfTwo = 1.44269504f;
  const Floats shifted = x * kToPowerOfTwo + kToInteger; // n in the lowest bits
  const Floats f = x * kToPowerOfTwo - (shifted - kToInteger);
  const Floats power =
      1.0f + f * (0.693146978f + f * (0.240222421f + f * (0.0555073374f + f * (0.00967151265f + f * 0.00132647271f))));
  const Floats scaled = std::bit_cast<Floats>(std::bit_cast<Bits>(power) + (std::bit_cast<Bits>(shifted) << 23));
  return x < Floats{} - 87.0f ? Floats{} : scaled;
}

/// For columns that are a multiple of two vectors, as the benchmark has them.
void expert(float *x, std::size_t rows, std::size_t columns) {
  for (float *row = x; row != x + rows * columns; row += columns) {
    const auto larger = [](auto left, auto right) { return left > right ? left : right; };
    Floats maxima[2] = {load(row), load(row)};
    for (std::size_t c = 0; c < columns; c += 2 * kLanes)
      for (std::size_t k = 0; k < 2; ++k)
        maxima[k] = larger(load(row + c + k * kLanes), maxima[k]);
    const float largest = reduced(larger(maxima[0], maxima[1]), larger);

    Floats sums{};
    for (std::size_t c = 0; c < columns; c += kLanes) {
      const Floats power = exponential(load(row + c) - largest);
      sums += power;
      std::memcpy(row + c, &power, sizeof power);
    }
    const float inverse = 1.0f / reduced(sums, [](float left, float right) { return left + right; });
    for (std::size_t c = 0; c < columns; c += kLanes) {
      const Floats share = load(row + c) * inverse;
      std::memcpy(row + c, &share, sizeof share);
    }
  }
}

void BM_Softmax_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<SoftmaxCase>(state);
  std::vector<float> expected = run.logits;
  activation::softmax(expected.data(), run.kRows, run.columns);
  run.refill();
  expert(run.x.data(), run.kRows, run.columns);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.x[i] - expected[i]) <= 1e-4f * expected[i])) {
      state.SkipWithError("the expert and the kernel disagree");
      return;
    }
  for (auto _ : state) {
    run.refill();
    expert(run.x.data(), run.kRows, run.columns);
    benchmark::DoNotOptimize(run.x.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Softmax_Expert_hand)->Apply(softmaxSizes);

} // namespace
#endif
