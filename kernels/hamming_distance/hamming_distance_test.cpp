#include "hamming_distance.h"

#include "edge_buffer.h"

#include <bitset>
#include <random>

namespace {

using testing_support::EdgeBuffer;

std::vector<std::uint64_t> randomWords(std::size_t words, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::vector<std::uint64_t> values(words);
  for (std::uint64_t &word : values)
    word = engine();
  return values;
}

std::uint64_t reference(const std::vector<std::uint64_t> &a, const std::vector<std::uint64_t> &b) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    distance += (std::bitset<64>(a[i]) ^ std::bitset<64>(b[i])).count();
  return distance;
}

void expectDistance(const std::vector<std::uint64_t> &first, const std::vector<std::uint64_t> &second) {
  const EdgeBuffer<std::uint64_t> a(first), b(second);
  EXPECT_EQ(bits::hammingDistance(a.data(), b.data(), a.size()), reference(first, second)) << a.size() << " words";
}

TEST(HammingDistance, EverySmallSize) {
  for (std::size_t words = 0; words <= 200; ++words) {
    const auto seed = static_cast<unsigned>(words) * 2 + 1;
    expectDistance(randomWords(words, seed), randomWords(words, seed + 1));
  }
}

TEST(HammingDistance, OddSizes) {
  for (std::size_t words : {255u, 257u, 511u, 1021u, 4099u, 65537u})
    expectDistance(randomWords(words, 71), randomWords(words, 72));
}

TEST(HammingDistance, EachBit) {
  for (std::size_t words : {1u, 2u, 5u, 17u}) {
    const auto a = randomWords(words, 73);
    for (std::size_t bit = 0; bit < words * 64; ++bit) {
      auto b = a;
      b[bit / 64] ^= 1ull << bit % 64;
      ASSERT_EQ(bits::hammingDistance(a.data(), b.data(), words), 1u) << "bit " << bit << " of " << words << " words";
    }
  }
}

// All bits differ: partial counts in 8 bits overflow after a few blocks, in 16 bits after 1024 words in each lane.
TEST(HammingDistance, MoreThanNarrowCountersHold) {
  for (std::size_t words : {1u, 3u, 4u, 7u, 8u, 31u, 33u, 64u, 127u, 257u, 1031u, 33333u, 70001u}) {
    const std::vector<std::uint64_t> zeros(words, 0), ones(words, ~0ull);
    EXPECT_EQ(bits::hammingDistance(zeros.data(), ones.data(), words), words * 64);
    EXPECT_EQ(bits::hammingDistance(ones.data(), zeros.data(), words), words * 64);
    EXPECT_EQ(bits::hammingDistance(ones.data(), ones.data(), words), 0u);
  }
}

// Word by word, a different number of bits: words that are skipped, or counted twice, show.
TEST(HammingDistance, EachWordCounts) {
  constexpr std::size_t kWords = 131;
  const auto a = randomWords(kWords, 74);
  for (std::size_t word = 0; word < kWords; ++word) {
    auto b = a;
    b[word] = ~b[word];
    ASSERT_EQ(bits::hammingDistance(a.data(), b.data(), kWords), 64u) << "word " << word;
  }
}

TEST(HammingDistance, SparseAndDense) {
  for (std::size_t words : {13u, 1000u}) {
    auto sparse = randomWords(words, 75), dense = sparse;
    for (std::size_t i = 0; i < words; ++i) {
      sparse[i] = 1ull << sparse[i] % 64;
      dense[i] = ~sparse[i];
    }
    expectDistance(sparse, std::vector<std::uint64_t>(words, 0));
    expectDistance(dense, std::vector<std::uint64_t>(words, 0));
    expectDistance(dense, randomWords(words, 76));
  }
}

TEST(HammingDistance, OverlappingVectors) {
  const auto words = randomWords(500, 77);
  for (std::size_t shift : {0u, 1u, 3u, 8u, 77u}) {
    const std::size_t size = words.size() - shift;
    const std::vector<std::uint64_t> first(words.begin(), words.end() - static_cast<std::ptrdiff_t>(shift));
    const std::vector<std::uint64_t> second(words.begin() + static_cast<std::ptrdiff_t>(shift), words.end());
    EXPECT_EQ(bits::hammingDistance(words.data(), words.data() + shift, size), reference(first, second));
  }
}

TEST(HammingDistance, SecondCallSeesNewContents) {
  auto a = randomWords(100, 78);
  const auto b = randomWords(100, 79);
  EXPECT_EQ(bits::hammingDistance(a.data(), b.data(), 100), reference(a, b));
  a[0] ^= 0xff;
  a[99] ^= 0xf0f;
  EXPECT_EQ(bits::hammingDistance(a.data(), b.data(), 100), reference(a, b));
}

} // namespace
