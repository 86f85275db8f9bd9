// The same prices by hand, a lane for each option, with functions of a few terms: together they are off by well below
// 0.0001. count must be a multiple of kLanes, as the benchmark's is.
#include "black_scholes.h"
#include "black_scholes_bench_case.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <cmath>
#include <cstring>
#include <immintrin.h>

namespace {

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 16;
typedef float Vector __attribute__((vector_size(64)));
typedef std::int32_t Bits __attribute__((vector_size(64)));
Vector estimatedInverseRoot(Vector v) {
  return (Vector)_mm512_maskz_rsqrt14_ps(0xffff, (__m512)v); // g++ 12 warns about its header without a mask
}
#else
constexpr std::size_t kLanes = 8;
typedef float Vector __attribute__((vector_size(32)));
typedef std::int32_t Bits __attribute__((vector_size(32)));
Vector estimatedInverseRoot(Vector v) {
  return (Vector)_mm256_rsqrt_ps((__m256)v);
}
#endif

Vector load(const float *from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

/// For positive normal numbers: 2^n · m with m around 1, and ln m = 2 · artanh((m - 1) / (m + 1)).
Vector logarithm(Vector x) {
  const Bits n = ((Bits)x - 0x3f3504f3) >> 23; // sqrt(0.5): m is within [sqrt(0.5), sqrt(2))
  const Vector m = (Vector)((Bits)x - (n << 23)), s = (m - 1.0f) / (m + 1.0f), z = s * s;
  const Vector tail = z * (0.66666667f + z * (0.4f + z * (0.28571429f + z * 0.22222222f)));
  return __builtin_convertvector(n, Vector) * 0.69314718f + (2.0f * s + s * tail);
}

/// 2^n · exp(r) with |r| <= ln(2) / 2; arguments below -87 count as -87.
Vector exponential(Vector x) {
  constexpr float kRounder = 12582912.0f; // 1.5 · 2^23: the sum's last bits are the nearest integer
  x = x > -87.0f ? x : Vector{} - 87.0f;
  const Vector shifted = x * 1.44269504f + kRounder, n = shifted - kRounder, r = x - n * 0.69314718f;
  const Vector p = 1.0f + r * (1.0f + r * (0.5f + r * (0.16666667f + r * (0.041666667f + r * 0.0083333333f))));
  return (Vector)((Bits)p + ((Bits)shifted << 23));
}

/// N(x) with t = 1 / (1 + kSlope · |x|), within 1e-7: formula 26.2.17 of Abramowitz and Stegun.
constexpr float kSlope = 0.2316419f;
Vector normalDistribution(Vector x, Vector t) {
  const Vector polynomial =
      t * (0.31938153f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  const Vector tail = 0.39894228f * exponential(-0.5f * x * x) * polynomial;
  return x < 0.0f ? tail : 1.0f - tail;
}

Vector magnitude(Vector x) {
  return (Vector)((Bits)x & 0x7fffffff);
}

void price(BlackScholesCase &run) {
  constexpr float kRate = BlackScholesCase::kRate, kVolatility = BlackScholesCase::kVolatility;
  for (std::size_t i = 0; i < run.count; i += kLanes) {
    const Vector spot = load(&run.spot[i]), strike = load(&run.strike[i]), years = load(&run.years[i]);
    const Vector estimate = estimatedInverseRoot(years);
    const Vector inverseRoot = estimate * (1.5f - 0.5f * years * estimate * estimate);
    const Vector drift = (kRate + 0.5f * kVolatility * kVolatility) * years;
    const Vector d1 = (logarithm(spot / strike) + drift) * (inverseRoot * (1.0f / kVolatility));
    const Vector d2 = d1 - kVolatility * (years * inverseRoot);
    const Vector a = 1.0f + kSlope * magnitude(d1), b = 1.0f + kSlope * magnitude(d2), both = 1.0f / (a * b);
    const Vector result = spot * normalDistribution(d1, b * both) -
                          strike * exponential(-kRate * years) * normalDistribution(d2, a * both);
    std::memcpy(&run.price[i], &result, sizeof result);
  }
}

bool agreesWithKernel(const BlackScholesCase &run) {
  std::vector<float> expected(run.count);
  finance::callPrices(run.spot.data(), run.strike.data(), run.years.data(), expected.data(), run.count,
                      BlackScholesCase::kRate, BlackScholesCase::kVolatility);
  for (std::size_t i = 0; i < run.count; ++i)
    if (!(std::abs(run.price[i] - expected[i]) <= 0.001f))
      return false;
  return true;
}

void BM_BlackScholes_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<BlackScholesCase>(state);
  price(run);
  testing_support::timeExpert(state, "the expert", agreesWithKernel(run), [&] {
    price(run);
    benchmark::DoNotOptimize(run.price.data());
  });
  run.report(state);
}
BENCHMARK(BM_BlackScholes_Expert_hand)->Apply(blackScholesSizes);

} // namespace
#endif
