#include "normalise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

TEST(Normalise, ThrowsForWhatItCannotDo) {
  EXPECT_THROW(normalise({}, 1), std::invalid_argument);
  EXPECT_THROW(normalise({1, 2}, 0), std::invalid_argument);
}

TEST(Normalise, EverySizeAndSomeSteps) {
  for (std::size_t size = 1; size < 150; ++size)
    for (std::uint32_t step : {1u, 2u, 3u, 1000u, 4000000000u}) {
      std::vector<std::uint32_t> values(size);
      for (std::size_t i = 0; i < size; ++i)
        values[i] = static_cast<std::uint32_t>((i + 3) * 2654435761u);
      const std::uint32_t smallest = *std::min_element(values.begin(), values.end());
      const std::vector<std::uint32_t> result = normalise(values, step);
      ASSERT_EQ(result.size(), size);
      for (std::size_t i = 0; i < size; ++i)
        ASSERT_EQ(result[i], (values[i] - smallest) / step) << i << " of " << size << ", step " << step;
    }
}
