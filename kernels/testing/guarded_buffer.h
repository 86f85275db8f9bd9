// An output buffer that notices writes before its begin, past its end, and elements that were never written.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace testing_support {

class GuardedBuffer {
public:
  explicit GuardedBuffer(std::size_t size) : storage_(size + 2 * kGuard, kSentinel) { clear(); }

  float *data() { return storage_.data() + kGuard; }
  const float *data() const { return storage_.data() + kGuard; }
  std::size_t size() const { return storage_.size() - 2 * kGuard; }
  float operator[](std::size_t i) const { return data()[i]; }

  /// Fills the payload with NaN: an element that the kernel leaves alone cannot pass for a result.
  void clear() {
    for (std::size_t i = 0; i < size(); ++i)
      data()[i] = std::numeric_limits<float>::quiet_NaN();
  }

  void expectGuardsIntact() const {
    for (std::size_t i = 0; i < kGuard; ++i) {
      ASSERT_EQ(storage_[i], kSentinel) << "written " << kGuard - i << " elements before the begin";
      ASSERT_EQ(storage_[storage_.size() - 1 - i], kSentinel) << "written past the end";
    }
  }

private:
  static constexpr std::size_t kGuard = 64;
  static constexpr float kSentinel = -123456.75f;
  std::vector<float> storage_;
};

inline std::vector<float> randomFloats(std::size_t count, float low, float high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> distribution(low, high);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(engine);
  return values;
}

/// From -largest to largest: sums and products of few bits are exact in every order.
inline std::vector<float> randomIntegers(std::size_t count, int largest, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = static_cast<float>(static_cast<int>(engine() % static_cast<unsigned>(2 * largest + 1)) - largest);
  return values;
}

/// Every element within `absolute + relative * |expected|`; one message for all wrong ones. Infinities must be equal,
/// and NaN is never right.
inline void expectAllNear(const float *actual, const std::vector<double> &expected, double absolute, double relative) {
  std::size_t wrong = 0, first = 0;
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = std::abs(actual[i] - expected[i]);
    const bool isRight =
        std::isinf(expected[i]) ? actual[i] == expected[i] : error <= absolute + relative * std::abs(expected[i]);
    if (isRight)
      continue;
    if (wrong++ == 0)
      first = i;
    largest = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(largest, error);
  }
  EXPECT_EQ(wrong, 0u) << wrong << " of " << expected.size() << " elements are wrong, the first at index " << first
                       << " (" << actual[first] << " instead of " << expected[first] << "), largest error " << largest;
}

} // namespace testing_support
