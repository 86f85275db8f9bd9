#include "mandelbrot.h"

#include "edge_buffer.h"

#include <algorithm>

namespace {

using testing_support::EdgeBuffer;

struct View {
  float left, top, step;
  std::size_t width, height;
  int maxIterations;

  std::size_t size() const { return width * height; }
  double cx(std::size_t index) const { return left + static_cast<double>(index % width) * step; }
  double cy(std::size_t index) const { return top + static_cast<double>(index / width) * step; }
};

/// -7 where the kernel writes nothing.
std::vector<int> iterationsOf(const View &view) {
  EdgeBuffer<int> iterations(view.size());
  std::fill(iterations.begin(), iterations.end(), -7);
  fractals::mandelbrot(view.left, view.top, view.step, view.width, view.height, view.maxIterations, iterations.data());
  iterations.expectNothingWrittenBefore();
  return {iterations.begin(), iterations.end()};
}

int stepsInDouble(double cx, double cy, int maxIterations) {
  double x = 0, y = 0;
  int steps = 0;
  while (steps < maxIterations && x * x + y * y <= 4.0) {
    const double newX = (x + y) * (x - y) + cx;
    y = (x + x) * y + cy;
    x = newX;
    ++steps;
  }
  return steps;
}

/// The count where rounding cannot change it. -1 where it might: where points nearby, about as far away as the errors
/// of a float orbit amount to, escape at another step.
int certainSteps(double cx, double cy, int maxIterations) {
  const int steps = stepsInDouble(cx, cy, maxIterations);
  for (double distance : {4e-6, 1e-6, 2e-7})
    for (double dx : {-distance, 0.0, distance})
      for (double dy : {-distance, 0.0, distance})
        if ((dx != 0 || dy != 0) && stepsInDouble(cx + dx, cy + dy, maxIterations) != steps)
          return -1;
  return steps;
}

/// Certain points must have their count, except one in 2000 (chance, on an orbit that passes close to |z| = 2); of the
/// others any possible count is right. `leastCertain`: the share of certain points that a view has if it tests
/// anything.
void expectView(const View &view, double leastCertain) {
  const std::vector<int> iterations = iterationsOf(view);
  std::size_t certain = 0, wrong = 0, impossible = 0, firstWrong = 0;
  for (std::size_t i = 0; i < view.size(); ++i) {
    impossible += iterations[i] < 0 || iterations[i] > view.maxIterations;
    const int expected = certainSteps(view.cx(i), view.cy(i), view.maxIterations);
    certain += expected >= 0;
    if (expected >= 0 && iterations[i] != expected && wrong++ == 0)
      firstWrong = i;
  }
  EXPECT_LE(wrong, certain / 2000) << "of " << certain << " certain points, the first at index " << firstWrong;
  EXPECT_EQ(impossible, 0u) << "counts are below 0 or above " << view.maxIterations;
  EXPECT_GE(static_cast<double>(certain), leastCertain * static_cast<double>(view.size()));
}

/// For points whose orbits are integers until they escape: nothing is rounded, every count is exact.
void expectExact(const View &view) {
  SCOPED_TRACE(testing::Message() << view.width << "x" << view.height << ", at most " << view.maxIterations);
  const std::vector<int> iterations = iterationsOf(view);
  for (std::size_t i = 0; i < view.size(); ++i)
    ASSERT_EQ(iterations[i], stepsInDouble(view.cx(i), view.cy(i), view.maxIterations))
        << "c = " << view.cx(i) << " + " << view.cy(i) << "i";
}

TEST(Mandelbrot, WholeSet) {
  expectView({-2.25f, -1.5f, 3.0f / 64, 64, 64, 256}, 0.98);
  expectView({-2.1f, -1.3f, 0.026f, 101, 99, 60}, 0.98);
}

TEST(Mandelbrot, BoundaryInDetail) {
  expectView({-0.7625f, 0.0875f, 0.0375f / 48, 48, 48, 100}, 0.94);
  expectView({-0.7625f, 0.0875f, 0.0375f / 48, 48, 48, 512}, 0.85);
}

// Most orbits leave the range of float long before the last of the iterations: infinities and NaN count no step.
TEST(Mandelbrot, FarOutside) {
  expectView({-8, -8, 0.25f, 67, 61, 300}, 0.98);
}

// Every size up to several vectors, on points with integer parts: neighbours are inside and outside, and |z| = 2, which
// is no escape yet, is met exactly.
TEST(Mandelbrot, EverySmallSize) {
  for (std::size_t height = 1; height <= 5; ++height)
    for (std::size_t width = 1; width <= 37; ++width)
      expectExact({-5, -2, 1, width, height, 40});
  expectExact({20, 3, -1, 41, 7, 40});
}

TEST(Mandelbrot, EveryMaximum) {
  for (int maxIterations = 0; maxIterations <= 70; ++maxIterations)
    expectExact({-4, -2, 1, 19, 5, maxIterations});
  for (int maxIterations : {0, 1, 2, 3, 5, 8, 13, 33})
    expectView({-2.0f, -1.25f, 0.125f, 27, 21, maxIterations}, 0.97);
}

// Counts that fit in no byte, in no 16 bits, and in no float's neighbourhood of small integers.
TEST(Mandelbrot, LargeMaximum) {
  expectExact({-3, 0, 1, 19, 1, 255});
  expectExact({-3, 0, 1, 19, 1, 256});
  expectExact({-3, 0, 1, 19, 1, 65536});
  expectExact({-2, 0, 1, 6, 1, 100003});
}

// Known orbits at every position of a row.
TEST(Mandelbrot, KnownPoints) {
  struct Known {
    float cx, cy;
    int steps; ///< of at most 500
  };
  for (const Known &known : {Known{0, 0, 500},
                             {-1, 0, 500},
                             {-2, 0, 500},
                             {0, 1, 500},
                             {0, -1, 500},
                             {1, 0, 3},
                             {2, 0, 2},
                             {0, 2, 2},
                             {-1, 1, 3},
                             {1, 1, 2},
                             {3, 0, 1},
                             {0, -2.5f, 1},
                             {0.25f, 0, 500}})
    EXPECT_EQ(iterationsOf({known.cx, known.cy, 0, 35, 1, 500}), std::vector<int>(35, known.steps))
        << "c = " << known.cx << " + " << known.cy << "i";
}

TEST(Mandelbrot, NothingToWrite) {
  for (const auto &[width, height] : {std::pair<std::size_t, std::size_t>{0, 0}, {0, 5}, {5, 0}}) {
    std::vector<int> iterations(25, -7);
    fractals::mandelbrot(-2, -1, 0.5f, width, height, 10, iterations.data());
    EXPECT_EQ(iterations, std::vector<int>(25, -7));
  }
}

// Same pointer, same size, another view: an answer kept from the call before is wrong.
TEST(Mandelbrot, SecondCallSeesNewView) {
  constexpr std::size_t kWidth = 21, kHeight = 4;
  std::vector<int> again(kWidth * kHeight);
  fractals::mandelbrot(-3, -2, 1, kWidth, kHeight, 30, again.data());
  for (const View &view : {View{-4, -1, 1, kWidth, kHeight, 30}, View{-4, -1, 1, kWidth, kHeight, 31},
                           View{2, 2, -1, kWidth, kHeight, 30}}) {
    fractals::mandelbrot(view.left, view.top, view.step, kWidth, kHeight, view.maxIterations, again.data());
    EXPECT_EQ(again, iterationsOf(view));
  }
}

// The same call once more, but what it had written is gone: an answer left in place is missing.
TEST(Mandelbrot, SameCallWritesAgain) {
  const View view{-4, -1, 1, 21, 4, 30};
  const std::vector<int> expected = iterationsOf(view);
  std::vector<int> again(view.size());
  for (int before : {-7, -8}) {
    std::ranges::fill(again, before);
    fractals::mandelbrot(view.left, view.top, view.step, view.width, view.height, view.maxIterations, again.data());
    EXPECT_EQ(again, expected);
  }
}

} // namespace
