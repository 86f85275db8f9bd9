#include "rope.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <complex>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::randomFloats;
using testing_support::randomIntegers;

struct Heads {
  std::size_t tokens, heads, pairs;
  std::vector<float> x, cosines, sines;
};

// Integers of a few bits: exact, with one rounding or with two.
Heads integers(std::size_t tokens, std::size_t heads, std::size_t pairs) {
  const auto seed = static_cast<unsigned>((tokens * 32 + heads) * 256 + pairs);
  return {tokens,
          heads,
          pairs,
          randomIntegers(tokens * heads * 2 * pairs, 1000, seed),
          randomIntegers(tokens * pairs, 1000, seed + 1),
          randomIntegers(tokens * pairs, 1000, seed + 2)};
}

/// In double, as products of complex numbers.
std::vector<double> reference(const Heads &heads) {
  std::vector<double> out;
  for (std::size_t i = 0; i < heads.x.size() / 2; ++i) {
    const std::size_t angle = i / (heads.heads * heads.pairs) * heads.pairs + i % heads.pairs;
    const auto rotated = std::complex<double>(heads.x[2 * i], heads.x[2 * i + 1]) *
                         std::complex<double>(heads.cosines[angle], heads.sines[angle]);
    out.push_back(rotated.real());
    out.push_back(rotated.imag());
  }
  return out;
}

/// The tables can only be read, and nothing lies behind any array.
void expectRotated(const Heads &heads, double absolute) {
  SCOPED_TRACE(testing::Message() << heads.tokens << "x" << heads.heads << "x" << heads.pairs);
  const EdgeBuffer<float> cosines(heads.cosines), sines(heads.sines);
  EdgeBuffer<float> x(heads.x.size());
  std::copy(heads.x.begin(), heads.x.end(), x.begin());
  attention::rope(x.data(), cosines.data(), sines.data(), heads.tokens, heads.heads, heads.pairs);
  expectAllNear(x.data(), reference(heads), absolute, 0);
  x.expectNothingWrittenBefore();
}

TEST(Rope, EverySmallSize) {
  for (std::size_t tokens = 0; tokens <= 3; ++tokens)
    for (std::size_t heads = 0; heads <= 4; ++heads)
      for (std::size_t pairs = 0; pairs <= 40; ++pairs)
        expectRotated(integers(tokens, heads, pairs), 0);
}

TEST(Rope, OddSizes) {
  for (std::size_t pairs : {48u, 63u, 64u, 65u, 127u, 130u, 513u})
    expectRotated(integers(2, 3, pairs), 0);
  expectRotated(integers(5, 32, 64), 0);
  expectRotated(integers(33, 1, 7), 0);
  expectRotated(integers(1, 67, 5), 0);
}

// Angles as they are used: the first pair turns by a radian a token, the last one hardly at all.
TEST(Rope, Angles) {
  constexpr std::size_t kTokens = 40, kPairs = 37;
  Heads heads{kTokens, 2, kPairs, randomFloats(kTokens * 2 * 2 * kPairs, -8, 8, 3), {}, {}};
  for (std::size_t i = 0; i < kTokens * kPairs; ++i) {
    const double angle = double(i / kPairs) * std::pow(10000.0, -double(i % kPairs) / double(kPairs));
    heads.cosines.push_back(static_cast<float>(std::cos(angle)));
    heads.sines.push_back(static_cast<float>(std::sin(angle)));
  }
  expectRotated(heads, 1e-5);
}

TEST(Rope, Magnitudes) {
  for (float magnitude : {1e-12f, 1e-3f, 1e4f, 1e15f}) {
    Heads heads = integers(2, 3, 21);
    heads.x = randomFloats(heads.x.size(), -magnitude, magnitude, 4);
    heads.cosines = randomFloats(heads.cosines.size(), -magnitude, magnitude, 5);
    heads.sines = randomFloats(heads.sines.size(), -magnitude, magnitude, 6);
    expectRotated(heads, 1e-6 * magnitude * magnitude);
  }
}

// One element, then one entry of a table at a time: where each of them goes, and with which sign.
TEST(Rope, OneElementAnywhere) {
  const Heads all = integers(3, 2, 11);
  for (std::size_t position = 0; position < all.x.size(); ++position) {
    Heads heads = all;
    heads.x.assign(all.x.size(), 0.0f);
    heads.x[position] = 1.0f;
    expectRotated(heads, 0);
  }
  for (std::size_t position = 0; position < 2 * all.cosines.size(); ++position) {
    Heads heads = all;
    heads.cosines.assign(all.cosines.size(), 0.0f);
    heads.sines.assign(all.sines.size(), 0.0f);
    (position % 2 == 0 ? heads.cosines : heads.sines)[position / 2] = 1.0f;
    expectRotated(heads, 0);
  }
}

TEST(Rope, SecondCallSeesNewContents) {
  Heads heads = integers(2, 3, 24);
  std::vector<float> x = heads.x;
  attention::rope(x.data(), heads.cosines.data(), heads.sines.data(), 2, 3, 24);
  heads.x.back() += 7.0f;
  heads.cosines.front() += 3.0f;
  heads.sines.back() -= 5.0f;
  x = heads.x;
  attention::rope(x.data(), heads.cosines.data(), heads.sines.data(), 2, 3, 24);
  expectAllNear(x.data(), reference(heads), 0, 0);
}

} // namespace
