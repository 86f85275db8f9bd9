#include "match_length.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::uint32_t>;

Bytes randomBytes(std::size_t size, unsigned values, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine() % values);
  return bytes;
}

/// From the far end: the first place that differs is the last one found when going backwards.
std::uint32_t reference(const Bytes &data, std::size_t candidate, std::size_t position, std::size_t limit) {
  std::size_t length = data.size() - position < limit ? data.size() - position : limit;
  for (std::size_t i = length; i-- > 0;)
    if (data[candidate + i] != data[position + i])
      length = i;
  return static_cast<std::uint32_t>(length);
}

void expectLengths(const Bytes &bytes, const Numbers &from, const Numbers &to, std::size_t limit) {
  Numbers expected(from.size());
  for (std::size_t k = 0; k < from.size(); ++k)
    expected[k] = reference(bytes, from[k], to[k], limit);
  const EdgeBuffer<std::uint8_t> data(bytes);
  const EdgeBuffer<std::uint32_t> candidates(from), positions(to);
  EdgeBuffer<std::uint32_t> lengths(from.size());
  lz::matchLengths(data.data(), data.size(), candidates.data(), positions.data(), lengths.data(), from.size(), limit);
  expectSame(lengths.data(), expected);
  lengths.expectNothingWrittenBefore();
}

/// All pairs of places, the end too.
void expectAllPairs(const Bytes &data, std::size_t limit) {
  SCOPED_TRACE(limit);
  Numbers candidates, positions;
  for (std::uint32_t position = 0; position <= data.size(); ++position)
    for (std::uint32_t candidate = 0; candidate <= position; ++candidate) {
      candidates.push_back(candidate);
      positions.push_back(position);
    }
  expectLengths(data, candidates, positions, limit);
}

TEST(MatchLength, AllPairsOfPlaces) {
  for (std::size_t limit : {0u, 1u, 7u, 8u, 9u, 31u, 32u, 33u, 1000u}) {
    expectAllPairs(randomBytes(90, 2, 51), limit);
    expectAllPairs(Bytes(90, 'a'), limit);
    expectAllPairs({}, limit);
  }
}

// Each length up to 300, ended by a byte that differs in one bit; and with a limit below, at and above it.
TEST(MatchLength, EveryLength) {
  constexpr std::uint32_t kHalf = 320;
  for (std::uint32_t length = 0; length < 300; ++length) {
    Bytes data = randomBytes(kHalf, 256, length + 1);
    data.insert(data.end(), data.begin(), data.end());
    data[kHalf + length] = static_cast<std::uint8_t>(data[kHalf + length] ^ 1u << length % 8);
    for (std::size_t limit : {length == 0 ? 0 : length - 1, length, length + 1, 258u})
      expectLengths(data, {0}, {kHalf}, limit);
  }
}

// A run of equal bytes is compared with itself one place on: it ends where the data end, whatever lies behind.
TEST(MatchLength, RunsUpToTheEnd) {
  for (std::uint32_t size = 1; size < 200; ++size) {
    const Bytes data(size, 'x');
    for (std::uint32_t distance : {0u, 1u, 2u, 7u, 40u})
      if (distance <= size)
        expectLengths(data, {0, size - distance, 0}, {distance, size, size}, 4294967295);
  }
  expectLengths(Bytes(70000, 'x'), {0, 0}, {1, 3000}, 4294967295);
}

TEST(MatchLength, ManyPairs) {
  const Bytes data = randomBytes(5000, 3, 52);
  std::mt19937 engine(53);
  for (std::size_t pairs : {0u, 1u, 2u, 15u, 16u, 17u, 1001u}) {
    Numbers candidates, positions;
    for (std::size_t k = 0; k < pairs; ++k) {
      positions.push_back(static_cast<std::uint32_t>(engine() % 5001));
      candidates.push_back(static_cast<std::uint32_t>(engine() % (positions.back() + 1)));
    }
    for (std::size_t limit : {3u, 258u})
      expectLengths(data, candidates, positions, limit);
  }
}

TEST(MatchLength, SecondCallSeesNewContents) {
  Bytes data(400, 'a');
  const Numbers candidates{0, 10}, positions{100, 200};
  Numbers lengths(2);
  for (std::size_t changed : {399u, 250u, 201u, 100u}) {
    data[changed] = 'b';
    lz::matchLengths(data.data(), data.size(), candidates.data(), positions.data(), lengths.data(), 2, 300);
    expectSame(lengths.data(), {reference(data, 0, 100, 300), reference(data, 10, 200, 300)});
  }
}

} // namespace
