// The same by hand: x / 2 · (1 + tanh(u)) is x / (1 + exp(-2u)), with a polynomial for the exponential.
#include "gelu.h"
#include "gelu_bench_case.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__AVX512BW__)
#define GELU_LANES 16
#elif defined(__AVX2__)
#define GELU_LANES 8
#endif

#ifdef GELU_LANES
namespace {

constexpr std::size_t kLanes = GELU_LANES;
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));
typedef std::uint32_t Bits __attribute__((vector_size(kLanes * sizeof(float))));

/// 2^t for t within [-126, 126], relative error 3e-7: 2^n is made of bits, the rest of at most a half a polynomial.
Floats powerOfTwo(Floats t) {
  constexpr float kToInteger = 0x1.8p23f; // what is added to it is rounded to an integer, in the lowest bits
  const Floats shifted = t + kToInteger;
  const Floats f = t - (shifted - kToInteger);
  const Floats power =
      1.0f + f * (0.693146978f + f * (0.240222421f + f * (0.0555073374f + f * (0.00967151265f + f * 0.00132647271f))));
  return std::bit_cast<Floats>(std::bit_cast<Bits>(power) + (std::bit_cast<Bits>(shifted) << 23));
}

Floats gelu(Floats x) {
  constexpr float kFactor = -2.302208198f; // -2 · sqrt(2 / π) / ln(2)
  const Floats t = x * (kFactor + kFactor * 0.044715f * (x * x)), limit = Floats{} + 126.0f;
  const Floats below = t < limit ? t : limit; // NaN becomes a number here, and is again one with x
  return x / (1.0f + powerOfTwo(below > -limit ? below : -limit));
}

void expert(const float *in, float *out, std::size_t size) {
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    Floats x;
    std::memcpy(&x, in + i, sizeof x);
    x = gelu(x);
    std::memcpy(out + i, &x, sizeof x);
  }
  if (i < size) {
    Floats x{};
    std::memcpy(&x, in + i, (size - i) * sizeof(float));
    x = gelu(x);
    std::memcpy(out + i, &x, (size - i) * sizeof(float));
  }
}

void BM_Gelu_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<GeluCase>(state);
  std::vector<float> expected(run.out.size());
  activation::gelu(run.in.data(), expected.data(), run.in.size());
  expert(run.in.data(), run.out.data(), run.in.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.out[i] - expected[i]) <= 1e-5f)) {
      state.SkipWithError("the expert and the kernel disagree");
      return;
    }
  for (auto _ : state) {
    expert(run.in.data(), run.out.data(), run.in.size());
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Gelu_Expert_hand)->Apply(geluSizes);

} // namespace
#endif
