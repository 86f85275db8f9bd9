#include "delta_decode.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <limits>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Deltas = std::vector<std::uint32_t>;

constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kSmallest = std::numeric_limits<std::int32_t>::min();

Deltas randomDeltas(std::size_t count, unsigned seed, unsigned bits = 32) {
  std::mt19937 engine(seed);
  Deltas deltas(count);
  for (std::uint32_t &delta : deltas)
    delta = static_cast<std::uint32_t>(engine() >> (32 - bits));
  return deltas;
}

/// By doubling distances, in 64 bits; what a code means is told by its parity.
std::vector<std::int32_t> reference(const Deltas &deltas, std::int32_t first) {
  std::vector<std::int64_t> sums(deltas.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = deltas[i] % 2 == 0 ? std::int64_t{deltas[i] / 2} : -std::int64_t{deltas[i] / 2} - 1;
  for (std::size_t distance = 1; distance < sums.size(); distance *= 2)
    for (std::size_t i = sums.size() - 1; i >= distance; --i)
      sums[i] += sums[i - distance];
  std::vector<std::int32_t> values(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    values[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[i] + first));
  return values;
}

void expectDecoded(const Deltas &contents, std::int32_t first) {
  const EdgeBuffer<std::uint32_t> deltas(contents);
  EdgeBuffer<std::int32_t> values(contents.size());
  coding::deltaDecode(deltas.data(), values.data(), contents.size(), first);
  expectSame(values.data(), reference(contents, first));
  values.expectNothingWrittenBefore();
}

TEST(DeltaDecode, KnownValues) {
  const Deltas deltas{0, 1, 2, 3, 4, 4294967294, 4294967295};
  std::vector<std::int32_t> values(deltas.size());
  coding::deltaDecode(deltas.data(), values.data(), deltas.size(), 10);
  expectSame(values.data(), {10, 9, 10, 8, 10, kSmallest + 9, 9});
}

TEST(DeltaDecode, EverySmallCount) {
  for (std::size_t count = 0; count <= 200; ++count) {
    SCOPED_TRACE(count);
    expectDecoded(randomDeltas(count, static_cast<unsigned>(count) + 1, 10), 1000);
    expectDecoded(randomDeltas(count, static_cast<unsigned>(count) + 1), -1);
  }
}

TEST(DeltaDecode, OddCounts) {
  for (std::size_t count : {255u, 257u, 1021u, 4095u, 4099u, 65537u})
    expectDecoded(randomDeltas(count, static_cast<unsigned>(count), 16), -77);
}

TEST(DeltaDecode, Wraps) {
  for (std::int32_t first : {kLargest, kSmallest, 0, -1, 1})
    for (std::uint32_t delta : {0u, 1u, 2u, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu})
      for (std::size_t count : {1u, 15u, 16u, 17u, 333u})
        expectDecoded(Deltas(count, delta), first);
}

// A single difference: everything from it on has it, nothing before; a carry lost between blocks shows.
TEST(DeltaDecode, EachDifferenceReachesAllBehindIt) {
  constexpr std::size_t kCount = 161;
  for (std::size_t place = 0; place < kCount; ++place)
    for (std::uint32_t delta : {1u, 2u, 0x12345678u}) {
      Deltas deltas(kCount, 0);
      deltas[place] = delta;
      expectDecoded(deltas, 5);
    }
}

TEST(DeltaDecode, AnyAlignment) {
  const Deltas all = randomDeltas(300, 81, 12);
  for (std::size_t skipped = 0; skipped < 17; ++skipped) {
    const Deltas deltas(all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end());
    for (std::size_t shift = 0; shift < 17; ++shift) {
      std::vector<std::int32_t> values(shift + deltas.size() + 1, 99);
      coding::deltaDecode(all.data() + skipped, values.data() + shift, deltas.size(), 3);
      expectSame(values.data() + shift, reference(deltas, 3));
      ASSERT_TRUE((shift == 0 || values[shift - 1] == 99) && values.back() == 99) << "written beside the output";
    }
  }
}

TEST(DeltaDecode, SecondCallSeesNewContents) {
  Deltas deltas = randomDeltas(500, 82);
  std::vector<std::int32_t> values(deltas.size());
  for (std::int32_t first : {0, 1}) {
    deltas.front() += 5;
    deltas.back() ^= 1;
    coding::deltaDecode(deltas.data(), values.data(), deltas.size(), first);
    expectSame(values.data(), reference(deltas, first));
  }
}

} // namespace
