#include "jacobi3d.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;

struct Box {
  std::size_t depth, height, width;

  std::size_t size() const { return depth * height * width; }
  bool isInner(std::size_t index) const {
    const std::size_t z = index / (height * width), y = index / width % height, x = index % width;
    return z > 0 && z + 1 < depth && y > 0 && y + 1 < height && x > 0 && x + 1 < width;
  }
};

struct Coefficients {
  float centre = 0.4f, neighbour = 0.1f;
};

/// What `out` must hold if it held `before`: every input point hands its share to the points around it, in double.
std::vector<double> reference(const std::vector<float> &in, const std::vector<double> &before, const Box &box,
                              const Coefficients &coefficients) {
  std::vector<double> shares(box.size(), 0.0);
  for (std::size_t i = 0; i < box.size(); ++i) {
    shares[i] += static_cast<double>(coefficients.centre) * in[i];
    for (std::size_t stride : {std::size_t{1}, box.width, box.width * box.height}) {
      if (i >= stride)
        shares[i - stride] += static_cast<double>(coefficients.neighbour) * in[i];
      if (i + stride < box.size())
        shares[i + stride] += static_cast<double>(coefficients.neighbour) * in[i];
    }
  }
  for (std::size_t i = 0; i < box.size(); ++i)
    if (!box.isInner(i))
      shares[i] = before[i];
  return shares;
}

/// What `out` holds before a sweep: a value of its own for every point.
std::vector<double> fillDistinct(float *out, std::size_t size) {
  std::vector<double> values(size);
  for (std::size_t i = 0; i < size; ++i)
    values[i] = out[i] = 5000.0f + static_cast<float>(i % 4096);
  return values;
}

void expectSweep(const std::vector<float> &in, const Box &box, const Coefficients &coefficients, double absolute) {
  SCOPED_TRACE(testing::Message() << box.depth << "x" << box.height << "x" << box.width);
  const std::vector<float> oldIn = in;
  GuardedBuffer out(box.size());
  const std::vector<double> before = fillDistinct(out.data(), out.size());
  stencils::jacobi3d(in.data(), out.data(), coefficients.centre, coefficients.neighbour, box.depth, box.height,
                     box.width);
  expectAllNear(out.data(), reference(oldIn, before, box, coefficients), absolute, 0);
  out.expectGuardsIntact();
  EXPECT_TRUE(in == oldIn) << "the kernel changed its input";
}

// Integers of a few bits: with integer coefficients every order of summation is exact.
constexpr int kLargest = 1000;

constexpr Coefficients kExact{-5.0f, 3.0f};

// Boxes with no inner point, with one, and every tail of a vector.
TEST(Jacobi3d, EverySmallBox) {
  for (std::size_t depth = 1; depth <= 5; ++depth)
    for (std::size_t height = 1; height <= 6; ++height)
      for (std::size_t width = 1; width <= 37; ++width)
        expectSweep(
            randomIntegers(depth * height * width, kLargest, static_cast<unsigned>(depth * 300 + height * 40 + width)),
            {depth, height, width}, kExact, 0);
}

TEST(Jacobi3d, Boxes) {
  for (const Box &box : {Box{3, 3, 3}, Box{3, 4, 501}, Box{501, 3, 4}, Box{4, 501, 3}, Box{9, 17, 33}, Box{17, 33, 9},
                         Box{33, 9, 17}, Box{18, 18, 18}, Box{34, 34, 34}, Box{13, 29, 67}, Box{66, 10, 66}}) {
    expectSweep(randomIntegers(box.size(), kLargest, 3), box, kExact, 0);
    expectSweep(randomFloats(box.size(), -1, 1, 4), box, {0.4f, 0.1f}, 1e-5);
    expectSweep(randomFloats(box.size(), -1, 1, 5), box, {-1.0f, 0.97f}, 1e-5);
  }
}

TEST(Jacobi3d, BenchmarkShape) {
  expectSweep(randomIntegers(64 * 64 * 64, kLargest, 6), {64, 64, 64}, kExact, 0);
}

// One point at a time: which seven results it is part of, and with which coefficient.
TEST(Jacobi3d, OnePointAnywhere) {
  constexpr Box kBox{4, 5, 19};
  for (std::size_t position = 0; position < kBox.size(); ++position) {
    std::vector<float> in(kBox.size(), 0.0f);
    in[position] = 1.0f;
    expectSweep(in, kBox, kExact, 0);
  }
}

TEST(Jacobi3d, CoefficientsCount) {
  constexpr Box kBox{5, 6, 21};
  const auto in = randomIntegers(kBox.size(), kLargest, 7);
  for (const Coefficients &coefficients :
       {Coefficients{0, 1}, Coefficients{1, 0}, Coefficients{1, 1}, Coefficients{2, -1}, Coefficients{-6, 1}})
    expectSweep(in, kBox, coefficients, 0);
}

TEST(Jacobi3d, Magnitudes) {
  constexpr Box kBox{5, 7, 35};
  for (float magnitude : {1e-20f, 1e-3f, 1e6f, 1e30f}) {
    SCOPED_TRACE(magnitude);
    expectSweep(randomFloats(kBox.size(), -magnitude, magnitude, 8), kBox, {0.4f, 0.1f}, 1e-6 * magnitude);
  }
}

TEST(Jacobi3d, StaysWithinItsArrays) {
  for (const Box &box : {Box{3, 3, 3}, Box{3, 3, 18}, Box{4, 5, 19}, Box{6, 7, 50}}) {
    const auto in = randomIntegers(box.size(), kLargest, 9);
    const EdgeBuffer<float> edgeIn(in);
    EdgeBuffer<float> out(box.size());
    const std::vector<double> before = fillDistinct(out.data(), out.size());
    stencils::jacobi3d(edgeIn.data(), out.data(), kExact.centre, kExact.neighbour, box.depth, box.height, box.width);
    expectAllNear(out.data(), reference(in, before, box, kExact), 0, 0);
    out.expectNothingWrittenBefore();
  }
}

TEST(Jacobi3d, NoPoints) {
  const auto in = randomFloats(64, -1, 1, 10);
  for (const Box &box : {Box{0, 0, 0}, Box{0, 8, 8}, Box{8, 0, 8}, Box{8, 8, 0}, Box{1, 8, 8}, Box{2, 4, 8}}) {
    GuardedBuffer out(64);
    stencils::jacobi3d(in.data(), out.data(), 1, 1, box.depth, box.height, box.width);
    out.expectGuardsIntact();
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_TRUE(std::isnan(out[i])) << "element " << i << " was written";
  }
}

// Two arrays in turn, as a solver does: an answer kept from a call before is wrong, and so is a sweep that reads what
// it has just written.
TEST(Jacobi3d, SweepAfterSweep) {
  constexpr Box kBox{7, 9, 35};
  std::vector<float> even(kBox.size()), odd(kBox.size());
  std::mt19937 engine(11);
  for (std::size_t i = 0; i < kBox.size(); ++i)
    even[i] = odd[i] = static_cast<float>(engine() % 9);
  for (int sweep = 0; sweep < 6; ++sweep) {
    const std::vector<float> &in = sweep % 2 ? odd : even;
    std::vector<float> &out = sweep % 2 ? even : odd;
    const std::vector<double> expected = reference(in, {out.begin(), out.end()}, kBox, {2, -1});
    stencils::jacobi3d(in.data(), out.data(), 2, -1, kBox.depth, kBox.height, kBox.width);
    expectAllNear(out.data(), expected, 0, 0);
  }
}

} // namespace
