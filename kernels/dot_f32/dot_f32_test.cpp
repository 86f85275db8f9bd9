#include "dot_f32.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

namespace {

using testing_support::EdgeBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;

/// In double, by halves; a product of two floats is exact there.
double reference(const float *a, const float *b, std::size_t size) {
  if (size < 2)
    return size == 0 ? 0.0 : static_cast<double>(*a) * *b;
  const std::size_t half = size / 2;
  return reference(a, b, half) + reference(a + half, b + half, size - half);
}

/// `relative`: to the sum of the magnitudes of the terms.
void expectDot(const std::vector<float> &first, const std::vector<float> &second, double relative) {
  const EdgeBuffer<float> a(first), b(second);
  std::vector<float> firstSizes, secondSizes;
  for (std::size_t i = 0; i < first.size(); ++i) {
    firstSizes.push_back(std::abs(first[i]));
    secondSizes.push_back(std::abs(second[i]));
  }
  const double magnitude = reference(firstSizes.data(), secondSizes.data(), first.size());
  EXPECT_NEAR(linear::dot(a.data(), b.data(), a.size()), reference(first.data(), second.data(), first.size()),
              relative * magnitude)
      << first.size() << " elements";
}

// Integers of a few bits: every order of summation is exact.
TEST(DotF32, EverySmallSize) {
  for (std::size_t size = 0; size <= 300; ++size) {
    const auto seed = static_cast<unsigned>(size) * 2 + 1;
    expectDot(randomIntegers(size, 200, seed), randomIntegers(size, 200, seed + 1), 0);
  }
}

TEST(DotF32, OddSizes) {
  for (std::size_t size : {511u, 513u, 1021u, 1025u, 4099u, 8191u, 65537u}) {
    expectDot(randomIntegers(size, 15, 1), randomIntegers(size, 15, 2), 0);
    expectDot(randomFloats(size, 0, 1, 3), randomFloats(size, 0, 1, 4), 5e-5);
    expectDot(randomFloats(size, -1, 1, 5), randomFloats(size, -1, 1, 6), 1e-5);
  }
}

// Each element has a weight of its own: what is left out, counted twice or paired with a neighbour shows.
TEST(DotF32, EachElementCountsOnce) {
  for (std::size_t size : {1u, 5u, 17u, 67u, 200u}) {
    std::vector<float> weights(size);
    for (std::size_t i = 0; i < size; ++i)
      weights[i] = static_cast<float>(3 * i + 1);
    for (std::size_t position = 0; position < size; ++position) {
      std::vector<float> one(size, 0.0f);
      one[position] = 1.0f;
      ASSERT_EQ(linear::dot(one.data(), weights.data(), size), weights[position]) << position << " of " << size;
      ASSERT_EQ(linear::dot(weights.data(), one.data(), size), weights[position]) << position << " of " << size;
    }
  }
}

TEST(DotF32, Magnitudes) {
  for (float magnitude : {1e-15f, 1e-3f, 1e4f, 1e15f}) {
    SCOPED_TRACE(magnitude);
    expectDot(randomFloats(1003, 0, magnitude, 7), randomFloats(1003, 0, magnitude, 8), 1e-5);
    expectDot(randomFloats(1003, -magnitude, magnitude, 9), randomFloats(1003, 0.5f, 2, 10), 1e-5);
  }
}

// Partial sums beyond 2^24 times the smallest term would lose it; here a large term comes early and stays exact.
TEST(DotF32, LargeAndSmallTerms) {
  for (std::size_t position = 0; position < 80; ++position) {
    std::vector<float> a(80, 1.0f), b(80, 0.5f);
    a[position] = 4096.0f;
    b[position] = -1024.0f;
    expectDot(a, b, 0);
  }
}

// In no lane and no tail may a NaN or an infinity be lost, and none may come from behind the end.
TEST(DotF32, SpecialValuesAnywhere) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t size : {1u, 16u, 67u, 150u}) {
    std::vector<float> a = randomFloats(size + 20, 1, 2, 11);
    const std::vector<float> b = randomFloats(size + 20, 1, 2, 12);
    std::fill(a.begin() + static_cast<std::ptrdiff_t>(size), a.end(), kNaN);
    for (std::size_t position = 0; position < size; ++position) {
      const float old = a[position];
      a[position] = kNaN;
      ASSERT_TRUE(std::isnan(linear::dot(a.data(), b.data(), size))) << position;
      a[position] = -kInfinity;
      ASSERT_EQ(linear::dot(a.data(), b.data(), size), -kInfinity) << position;
      a[position] = old;
    }
    ASSERT_TRUE(std::isfinite(linear::dot(a.data(), b.data(), size)));
  }
}

TEST(DotF32, AnyAlignmentAndOverlap) {
  const auto values = randomIntegers(400, 50, 13), others = randomIntegers(400, 50, 14);
  for (std::size_t shift = 0; shift < 17; ++shift) {
    const float *shifted = values.data() + shift;
    for (const float *other : {values.data(), others.data(), others.data() + 3 * shift % 17, shifted})
      ASSERT_EQ(linear::dot(shifted, other, 383), reference(shifted, other, 383)) << shift;
  }
}

TEST(DotF32, SecondCallSeesNewContents) {
  auto a = randomIntegers(120, 50, 15), b = randomIntegers(120, 50, 16);
  linear::dot(a.data(), b.data(), 120);
  a[0] += 3.0f;
  b[119] = 44.0f;
  EXPECT_EQ(linear::dot(a.data(), b.data(), 120), reference(a.data(), b.data(), 120));
}

} // namespace
