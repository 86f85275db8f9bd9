extern "C" {
#include "private/fixed.h"
#include "private/lpc.h"
}

#include <gtest/gtest.h>

#include <vector>

static std::vector<FLAC__int32> samples(std::size_t n) {
  std::vector<FLAC__int32> result(n);
  for (std::size_t i = 0; i < n; ++i)
    result[i] = static_cast<FLAC__int32>(i * i * 7919 % 65536) - 32768;
  return result;
}

TEST(Prediction, FixedResidualIsTheDifferenceOfItsOrder) {
  const std::vector<FLAC__int32> data = samples(2000);
  std::vector<FLAC__int32> expected = data, residual(1996);
  for (unsigned order = 0; order <= 4; ++order) {
    FLAC__fixed_compute_residual(data.data() + 4, 1996, order, residual.data());
    for (std::size_t i = 0; i < 1996; ++i)
      ASSERT_EQ(residual[i], expected[i + 4]) << order << " " << i;
    for (std::size_t i = 1999; i > order; --i)
      expected[i] -= expected[i - 1];
  }
}

TEST(Prediction, LpcSignalComesBack) {
  const std::vector<FLAC__int32> data = samples(1032);
  const std::vector<FLAC__int32> coefficients = samples(32);
  for (unsigned order = 1; order <= 32; ++order) {
    std::vector<FLAC__int32> quantized(coefficients.begin(), coefficients.begin() + order), residual(1000);
    for (FLAC__int32 &c : quantized)
      c >>= 10;
    FLAC__lpc_compute_residual_from_qlp_coefficients(data.data() + 32, 1000, quantized.data(), order, 9,
                                                     residual.data());
    std::vector<FLAC__int32> restored(data.begin(), data.begin() + 32);
    restored.resize(1032);
    FLAC__lpc_restore_signal(residual.data(), 1000, quantized.data(), order, 9, restored.data() + 32);
    ASSERT_EQ(restored, data) << order;
  }
}
