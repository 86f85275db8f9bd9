#include "histogram256.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;

std::vector<std::uint8_t> randomBytes(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

/// By sorting: nothing is counted one by one.
std::vector<std::uint32_t> reference(std::vector<std::uint8_t> data) {
  std::sort(data.begin(), data.end());
  std::vector<std::uint32_t> counts(256);
  for (unsigned value = 0; value < 256; ++value) {
    const auto [first, last] = std::equal_range(data.begin(), data.end(), static_cast<std::uint8_t>(value));
    counts[value] = static_cast<std::uint32_t>(last - first);
  }
  return counts;
}

void expectHistogram(const std::vector<std::uint8_t> &bytes) {
  const EdgeBuffer<std::uint8_t> data(bytes);
  EdgeBuffer<std::uint32_t> counts(256);
  stats::histogram256(data.data(), data.size(), counts.data());
  expectSame(counts.data(), reference(bytes));
  counts.expectNothingWrittenBefore();
}

TEST(Histogram256, EverySmallSize) {
  for (std::size_t size = 0; size <= 200; ++size) {
    SCOPED_TRACE(size);
    expectHistogram(randomBytes(size, static_cast<unsigned>(size) + 1));
  }
}

TEST(Histogram256, OddSizes) {
  for (std::size_t size : {255u, 257u, 511u, 1021u, 4099u, 65535u, 65537u, 100003u}) {
    SCOPED_TRACE(size);
    expectHistogram(randomBytes(size, static_cast<unsigned>(size)));
  }
}

TEST(Histogram256, UnalignedBegins) {
  for (std::size_t skipped = 0; skipped < 65; ++skipped) {
    const auto bytes = randomBytes(1000, 51);
    std::vector<std::uint32_t> counts(256);
    stats::histogram256(bytes.data() + skipped, bytes.size() - skipped, counts.data());
    expectSame(counts.data(), reference({bytes.begin() + static_cast<std::ptrdiff_t>(skipped), bytes.end()}));
  }
}

// Signed indices, a table of 255 entries, and values taken from the wrong byte of a word show here.
TEST(Histogram256, EachValueAlone) {
  for (unsigned value = 0; value < 256; ++value)
    for (std::size_t size : {1u, 3u, 16u, 67u})
      expectHistogram(std::vector<std::uint8_t>(size, static_cast<std::uint8_t>(value)));
}

TEST(Histogram256, EachPosition) {
  for (std::size_t position = 0; position < 131; ++position) {
    std::vector<std::uint8_t> bytes(131, 7);
    bytes[position] = 200;
    expectHistogram(bytes);
  }
}

// Partial counts in 8 or 16 bits overflow: one value more often than 16 lanes of 16 bits can hold, and each lane alone.
TEST(Histogram256, MoreThanNarrowCountersHold) {
  for (unsigned value : {0u, 255u})
    expectHistogram(std::vector<std::uint8_t>(16 * 65536 + 77, static_cast<std::uint8_t>(value)));
  for (std::size_t period : {2u, 4u, 8u, 16u}) {
    std::vector<std::uint8_t> bytes(70000 * period + 3, 1);
    for (std::size_t i = period - 1; i < bytes.size(); i += period)
      bytes[i] = 254;
    expectHistogram(bytes);
  }
}

// Runs and alternations: an update that forgets the one just before it loses counts.
TEST(Histogram256, RunsAndAlternations) {
  for (std::size_t run = 1; run <= 40; ++run) {
    std::vector<std::uint8_t> bytes(2003);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::uint8_t>(i / run % 3 * 100);
    expectHistogram(bytes);
  }
}

TEST(Histogram256, OldCountsDoNotMatter) {
  const auto bytes = randomBytes(100, 52);
  std::vector<std::uint32_t> counts(256, 0xffffffffu);
  stats::histogram256(bytes.data(), bytes.size(), counts.data());
  expectSame(counts.data(), reference(bytes));
  stats::histogram256(bytes.data(), 0, counts.data());
  expectSame(counts.data(), std::vector<std::uint32_t>(256, 0));
}

TEST(Histogram256, SecondCallSeesNewContents) {
  auto bytes = randomBytes(3001, 53);
  std::vector<std::uint32_t> counts(256);
  stats::histogram256(bytes.data(), bytes.size(), counts.data());
  bytes[0] ^= 0xff;
  bytes[3000] ^= 0x80;
  stats::histogram256(bytes.data(), bytes.size(), counts.data());
  expectSame(counts.data(), reference(bytes));
}

} // namespace
