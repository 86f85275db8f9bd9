#include "attention_softmax_tile.h"

#include "guarded_buffer.h"

namespace {

using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Tile {
  std::size_t rows = 0, columns = 0;
  float scale = 0.125f;
  std::vector<float> scores, mask;
};

Tile randomTile(std::size_t rows, std::size_t columns, float magnitude, unsigned seed) {
  return {rows, columns, 0.125f, randomFloats(rows * columns, -magnitude, magnitude, seed),
          randomFloats(rows * columns, -2, 2, seed + 1)};
}

/// In double. `relative` bounds the error of exp and of a float sum; s itself is off by an ulp, which exp multiplies.
void expectSoftmax(const Tile &tile, double relative = 2e-5) {
  const Tile old = tile;
  const std::size_t size = tile.rows * tile.columns;
  GuardedBuffer weights(size), rowMax(tile.rows), rowSum(tile.rows);
  attention::softmaxTile(tile.scores.data(), tile.mask.data(), tile.scale, weights.data(), rowMax.data(), rowSum.data(),
                         tile.rows, tile.columns);
  std::vector<double> expectedWeights(size), expectedMax(tile.rows), expectedSum(tile.rows);
  for (std::size_t r = 0; r < tile.rows; ++r) {
    double largest = -kInfinity;
    for (std::size_t c = r * tile.columns; c < (r + 1) * tile.columns; ++c) {
      expectedWeights[c] = static_cast<double>(old.scores[c]) * old.scale + old.mask[c];
      largest = std::max(largest, expectedWeights[c]);
    }
    expectedMax[r] = largest;
    for (std::size_t c = r * tile.columns; c < (r + 1) * tile.columns; ++c) {
      expectedWeights[c] = std::isinf(largest) ? 0.0 : std::exp(expectedWeights[c] - largest);
      expectedSum[r] += expectedWeights[c];
    }
  }
  expectAllNear(rowMax.data(), expectedMax, 1e-6, 1e-6);
  expectAllNear(weights.data(), expectedWeights, 1e-9, relative);
  expectAllNear(rowSum.data(), expectedSum, 1e-9, relative);
  for (const GuardedBuffer *buffer : {&weights, &rowMax, &rowSum})
    buffer->expectGuardsIntact();
  EXPECT_TRUE(tile.scores == old.scores && tile.mask == old.mask) << "the kernel changed an input";
}

class Shapes : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(Shapes, RandomTile) {
  const auto [rows, columns] = GetParam();
  for (unsigned seed : {1u, 2u})
    expectSoftmax(randomTile(rows, columns, 40, seed * 1000 + static_cast<unsigned>(rows * 300 + columns)));
}

INSTANTIATE_TEST_SUITE_P(SoftmaxTile, Shapes,
                         testing::Combine(testing::Values(1, 2, 3, 7, 64),
                                          testing::Values(1, 2, 5, 8, 15, 16, 17, 31, 33, 64, 100, 256)),
                         [](const auto &info) {
                           return std::to_string(std::get<0>(info.param)) + "x" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(SoftmaxTile, Magnitudes) {
  for (float magnitude : {1e-4f, 1.0f, 100.0f, 600.0f}) {
    SCOPED_TRACE(magnitude);
    expectSoftmax(randomTile(5, 130, magnitude, 31), 1e-4);
  }
}

TEST(SoftmaxTile, ScaleCounts) {
  for (float scale : {0.0f, 0.05f, 1.0f, -0.5f}) {
    SCOPED_TRACE(scale);
    Tile tile = randomTile(3, 40, 10, 32);
    tile.scale = scale;
    expectSoftmax(tile);
  }
}

// Without the subtraction of the maximum these overflow.
TEST(SoftmaxTile, LargeScoresDoNotOverflow) {
  Tile tile = randomTile(4, 64, 1, 33);
  for (float &score : tile.scores)
    score += 4096.0f;
  expectSoftmax(tile, 2e-4); // s is near 512, where an ulp is 6e-5
}

// The maximum has no lower bound to start from but -infinity.
TEST(SoftmaxTile, VeryNegativeScores) {
  Tile tile = randomTile(3, 40, 1, 38);
  tile.scale = 1.0f;
  for (float &score : tile.scores)
    score = score * 0x1p118f - 0x1p120f;
  expectSoftmax(tile);
}

TEST(SoftmaxTile, CausalMask) {
  constexpr std::size_t kRows = 64, kColumns = 64;
  Tile tile = randomTile(kRows, kColumns, 30, 34);
  for (std::size_t i = 0; i < tile.mask.size(); ++i)
    tile.mask[i] = i % kColumns > i / kColumns ? -kInfinity : 0.0f;
  expectSoftmax(tile);
}

TEST(SoftmaxTile, FullyMaskedRow) {
  constexpr std::size_t kRows = 5, kColumns = 40;
  for (std::size_t masked = 0; masked < kRows; ++masked) {
    Tile tile = randomTile(kRows, kColumns, 30, 35);
    for (std::size_t c = 0; c < kColumns; ++c)
      tile.mask[masked * kColumns + c] = -kInfinity;
    expectSoftmax(tile);
  }
}

TEST(SoftmaxTile, MaximumAnywhere) {
  constexpr std::size_t kColumns = 70;
  for (std::size_t position = 0; position < kColumns; ++position) {
    Tile tile = randomTile(1, kColumns, 10, 36);
    tile.scores[position] = 90.0f;
    expectSoftmax(tile);
  }
}

TEST(SoftmaxTile, SecondCallSeesNewContents) {
  Tile tile = randomTile(3, 64, 10, 37);
  expectSoftmax(tile);
  std::vector<float> weights(3 * 64), first(3), firstSum(3), second(3), secondSum(3);
  const auto run = [&](std::vector<float> &rowMax, std::vector<float> &rowSum) {
    attention::softmaxTile(tile.scores.data(), tile.mask.data(), tile.scale, weights.data(), rowMax.data(),
                           rowSum.data(), 3, 64);
  };
  run(first, firstSum);
  tile.scores[2 * 64 + 63] = 800.0f;
  std::fill(weights.begin(), weights.end(), -1.0f);
  run(second, secondSum);
  EXPECT_EQ(first[0], second[0]);
  EXPECT_NEAR(second[2], 100.0, 2.1);
  EXPECT_NEAR(secondSum[2], 1.0, 1e-5);
  EXPECT_NEAR(weights[2 * 64 + 63], 1.0, 1e-5);
}

} // namespace
