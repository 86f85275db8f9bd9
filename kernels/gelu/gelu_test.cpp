#include "gelu.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <numbers>

namespace {

using testing_support::EdgeBuffer;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// In double, and without tanh: 1 + tanh(u) is 2 / (1 + exp(-2u)).
double reference(float in) {
  const double x = in;
  return x / (1 + std::exp(-2 * std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

/// The input can only be read, and nothing lies behind either array.
void expectGelu(const std::vector<float> &values) {
  const EdgeBuffer<float> in(values);
  EdgeBuffer<float> out(values.size());
  activation::gelu(in.data(), out.data(), in.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double allowed = 1e-5 * std::min(1.0, std::abs(double(values[i]))) + 1e-44; // a denormal has few bits
    ASSERT_LE(std::abs(out[i] - reference(values[i])), allowed) << "of " << values[i] << " at " << i << ": " << out[i];
  }
  out.expectNothingWrittenBefore();
}

TEST(Gelu, EverySmallSize) {
  for (std::size_t size = 0; size <= 150; ++size)
    expectGelu(randomFloats(size, -6, 6, static_cast<unsigned>(size) + 1));
}

// From where the result is all but 0 to where it is all but the argument, and far beyond.
TEST(Gelu, Sweeps) {
  std::vector<float> in;
  for (int step = -12 * 1024; step <= 12 * 1024; ++step)
    in.push_back(static_cast<float>(step) / 1024);
  expectGelu(in);
  expectGelu(randomFloats(2000, -1e-3f, 1e-3f, 3));
  expectGelu(randomFloats(2000, -200, 200, 4));
}

// Every exponent, denormals and the largest numbers too: their cube is 0 or infinite.
TEST(Gelu, Magnitudes) {
  std::vector<float> in{0.0f, -0.0f, std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
  for (int exponent = -149; exponent <= 127; ++exponent)
    for (float mantissa : {1.0f, -1.0f, 1.25f, -1.75f})
      in.push_back(std::ldexp(mantissa, exponent));
  expectGelu(in);
}

// In every place of a vector, whose other elements are not touched by it.
TEST(Gelu, SpecialValues) {
  const auto values = randomFloats(45, -3, 3, 5);
  for (std::size_t position = 0; position < values.size(); ++position) {
    for (float special : {kNaN, kInfinity, -kInfinity}) {
      std::vector<float> in = values;
      in[position] = special;
      GuardedBuffer out(in.size());
      activation::gelu(in.data(), out.data(), in.size());
      for (std::size_t i = 0; i < in.size(); ++i) {
        if (i != position)
          ASSERT_NEAR(out[i], reference(in[i]), 1e-5) << i;
        else if (special == kInfinity)
          ASSERT_EQ(out[i], kInfinity);
        else
          ASSERT_TRUE(std::isnan(out[i])) << "of " << special;
      }
    }
  }
}

TEST(Gelu, AnyAlignment) {
  const auto in = randomFloats(120, -5, 5, 6);
  for (std::size_t skipped = 0; skipped < 17; ++skipped)
    for (std::size_t shift = 0; shift < 17; ++shift) {
      GuardedBuffer out(shift + in.size());
      activation::gelu(in.data() + skipped, out.data() + shift, in.size() - skipped);
      for (std::size_t i = skipped; i < in.size(); ++i)
        ASSERT_NEAR(out[shift + i - skipped], reference(in[i]), 1e-5);
      ASSERT_TRUE(shift == 0 || std::isnan(out[shift - 1])) << "written before the output";
      out.expectGuardsIntact();
    }
}

TEST(Gelu, SecondCallSeesNewContents) {
  auto in = randomFloats(100, -3, 3, 7);
  GuardedBuffer out(in.size());
  activation::gelu(in.data(), out.data(), in.size());
  in.front() = 2.5f;
  in.back() = -0.75f;
  activation::gelu(in.data(), out.data(), in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    ASSERT_NEAR(out[i], reference(in[i]), 1e-5) << i;
}

} // namespace
