#include "black_scholes.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <algorithm>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;

constexpr double kAbsolute = 0.001;

struct Market {
  float rate = 0.03f, volatility = 0.25f;
};

struct Options {
  Options() = default;
  explicit Options(std::size_t count, unsigned seed = 1)
      : spot(randomFloats(count, 1, 200, seed)), strike(randomFloats(count, 1, 200, seed + 1)),
        years(randomFloats(count, 0.01f, 5, seed + 2)) {}
  void add(float newSpot, float newStrike, float newYears) {
    spot.push_back(newSpot);
    strike.push_back(newStrike);
    years.push_back(newYears);
  }
  bool operator==(const Options &) const = default;

  std::vector<float> spot, strike, years;
};

/// As strike · exp(-rate · years) · (ratio · N(d1) - N(d2)) in double, with N by erf, which has its own approximation.
double reference(double spot, double strike, double years, double rate, double volatility) {
  const double present = strike * std::exp(-rate * years), deviation = volatility * std::sqrt(years);
  const double middle = std::log(spot / present) / deviation;
  const auto distribution = [](double x) { return (1 + std::erf(x * std::sqrt(0.5))) / 2; };
  return present * (spot / present * distribution(middle + deviation / 2) - distribution(middle - deviation / 2));
}

/// What the option pays, over all outcomes: Simpson's rule from where it pays anything to where the normal density
/// ends.
double byIntegration(double spot, double strike, double years, double rate, double volatility) {
  constexpr int kSteps = 2000;
  const double drift = (rate - volatility * volatility / 2) * years, deviation = volatility * std::sqrt(years);
  const double from = std::clamp((std::log(strike / spot) - drift) / deviation, -12.0, 12.0),
               step = (12 - from) / kSteps;
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = from + i * step, paid = spot * std::exp(drift + deviation * z) - strike;
    sum += (i == 0 || i == kSteps ? 1 : i % 2 ? 4 : 2) * paid * std::exp(-z * z / 2);
  }
  return std::exp(-rate * years) * sum * step / 3 / std::sqrt(2 * std::acos(-1.0));
}

void expectPrices(const Options &options, const Market &market,
                  double (*exact)(double, double, double, double, double)) {
  const std::size_t count = options.spot.size();
  SCOPED_TRACE(testing::Message() << count << " options, rate " << market.rate << ", volatility " << market.volatility);
  const Options old = options;
  std::vector<double> expected(count);
  for (std::size_t i = 0; i < count; ++i)
    expected[i] = exact(old.spot[i], old.strike[i], old.years[i], market.rate, market.volatility);
  GuardedBuffer price(count);
  finance::callPrices(options.spot.data(), options.strike.data(), options.years.data(), price.data(), count,
                      market.rate, market.volatility);
  expectAllNear(price.data(), expected, kAbsolute, 0);
  price.expectGuardsIntact();
  EXPECT_TRUE(options == old) << "the kernel changed an input";
}

TEST(BlackScholes, EverySmallCount) {
  for (std::size_t count = 0; count <= 70; ++count)
    expectPrices(Options(count, static_cast<unsigned>(3 * count)), {}, reference);
}

TEST(BlackScholes, ManyOptionsInManyMarkets) {
  for (float rate : {-0.1f, -0.01f, 0.0f, 0.05f, 0.2f})
    for (float volatility : {0.05f, 0.1f, 0.3f, 0.6f, 1.0f})
      expectPrices(Options(2003), {rate, volatility}, reference);
}

TEST(BlackScholes, AgreesWithIntegration) {
  for (float volatility : {0.1f, 0.3f, 0.9f})
    expectPrices(Options(150, 9), {0.04f, volatility}, byIntegration);
}

// At the money, where the slope of N is largest, and each side of it, from hardly any time to much of it.
TEST(BlackScholes, NearTheStrike) {
  Options options;
  for (float years : {0.01f, 0.05f, 0.25f, 1.0f, 5.0f})
    for (int percent = 70; percent <= 140; ++percent)
      options.add(100.0f * static_cast<float>(percent) / 100, 100, years);
  for (float volatility : {0.05f, 0.2f, 1.0f}) {
    expectPrices(options, {0, volatility}, reference);
    expectPrices(options, {0.07f, volatility}, reference);
  }
}

// Where both values of N are 0 or 1, and where powers of two of a logarithm and an exponential change.
TEST(BlackScholes, FarFromTheStrike) {
  Options options;
  for (float spot : {1.0f, 1.5f, 2.0f, 64.0f, 127.0f, 128.0f, 199.0f, 200.0f})
    for (float strike : {1.0f, 1.9f, 2.0f, 63.0f, 128.0f, 129.0f, 200.0f})
      for (float years : {0.01f, 0.3f, 3.0f, 5.0f})
        options.add(spot, strike, years);
  for (const Market &market : {Market{-0.1f, 0.05f}, Market{0.2f, 0.05f}, Market{0.0f, 1.0f}, Market{0.2f, 1.0f}})
    expectPrices(options, market, reference);
}

// Of textbooks: 4.76 (Hull), 10.45.
TEST(BlackScholes, KnownPrices) {
  const float spot[] = {42, 100}, strike[] = {40, 100}, years[] = {0.5f, 1};
  float price[2];
  finance::callPrices(spot, strike, years, price, 1, 0.1f, 0.2f);
  finance::callPrices(spot + 1, strike + 1, years + 1, price + 1, 1, 0.05f, 0.2f);
  EXPECT_NEAR(price[0], 4.7594, kAbsolute);
  EXPECT_NEAR(price[1], 10.4506, kAbsolute);
}

TEST(BlackScholes, StaysWithinItsArrays) {
  for (std::size_t count : {1u, 3u, 16u, 17u, 50u}) {
    const Options options(count);
    const EdgeBuffer<float> spot(options.spot), strike(options.strike), years(options.years);
    EdgeBuffer<float> price(count);
    finance::callPrices(spot.data(), strike.data(), years.data(), price.data(), count, 0.02f, 0.3f);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_NEAR(price[i], reference(spot[i], strike[i], years[i], 0.02f, 0.3f), kAbsolute) << i;
    price.expectNothingWrittenBefore();
  }
}

TEST(BlackScholes, AnyAlignment) {
  const Options options(100);
  for (std::size_t shift = 0; shift < 17; ++shift) {
    GuardedBuffer price(100);
    finance::callPrices(options.spot.data() + shift, options.strike.data() + shift, options.years.data() + shift,
                        price.data() + shift, 80, 0.02f, 0.3f);
    for (std::size_t i = 0; i < 100; ++i)
      ASSERT_TRUE(i < shift || i >= shift + 80
                      ? std::isnan(price[i])
                      : std::abs(price[i] - reference(options.spot[i], options.strike[i], options.years[i], 0.02f,
                                                      0.3f)) < kAbsolute)
          << i;
  }
}

TEST(BlackScholes, SecondCallSeesNewContents) {
  Options options(40);
  expectPrices(options, {}, reference);
  options.spot[39] = 180;
  options.years[0] = 4;
  expectPrices(options, {}, reference);
}

} // namespace
