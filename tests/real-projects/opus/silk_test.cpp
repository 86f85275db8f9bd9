extern "C" {
#include "main_FLP.h"
}

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

static std::vector<float> samples(std::size_t n) {
  std::vector<float> result(n);
  for (std::size_t i = 0; i < n; ++i)
    result[i] = static_cast<float>(std::sin(0.3 * static_cast<double>(i)) * 1000 + static_cast<double>(i % 7));
  return result;
}

TEST(Silk, EnergyIsTheSumOfSquares) {
  const std::vector<float> data = samples(400);
  double expected = 0;
  for (int n = 0; n <= 400; ++n) {
    ASSERT_NEAR(silk_energy_FLP(data.data(), n), expected, 1e-9 * expected) << n;
    if (n < 400)
      expected += static_cast<double>(data[static_cast<std::size_t>(n)]) * data[static_cast<std::size_t>(n)];
  }
}

TEST(Silk, WithoutWarpingItIsTheAutocorrelation) {
  const std::vector<float> data = samples(240);
  for (int order : {2, 16, 24}) {
    std::vector<float> correlation(static_cast<std::size_t>(order) + 1);
    silk_warped_autocorrelation_FLP(correlation.data(), data.data(), 0, 240, order);
    for (std::size_t lag = 0; lag < correlation.size(); ++lag) {
      double expected = 0;
      for (std::size_t i = lag; i < data.size(); ++i)
        expected += static_cast<double>(data[i]) * data[i - lag];
      ASSERT_NEAR(correlation[lag], expected, 1e-6 * std::abs(correlation[0])) << lag;
    }
  }
}
