// The options of the benchmark, for the kernel and the expert.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct BlackScholesCase {
  static constexpr float kRate = 0.03f, kVolatility = 0.25f;

  explicit BlackScholesCase(std::size_t options)
      : count(options), spot(options), strike(options), years(options), price(options) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(50.0f, 150.0f), moneyness(0.7f, 1.3f), expiry(0.1f, 2.0f);
    for (std::size_t i = 0; i < count; ++i) {
      spot[i] = value(engine);
      strike[i] = spot[i] * moneyness(engine);
      years[i] = expiry(engine);
    }
  }

  /// An item is one option.
  void report(benchmark::State &state) const { testing_support::report(state, count, 4 * count * sizeof(float)); }

  std::size_t count;
  std::vector<float> spot, strike, years, price;
};

// A book of 4096 options: 64 KiB; the functions take all of the time.
inline void blackScholesSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(4096)->ArgName("count")->Unit(benchmark::kMicrosecond);
}
