#include "tool/search/smallest_subset.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Parts = std::vector<std::size_t>;

bool has(const Parts &parts, std::size_t part) {
  return std::ranges::find(parts, part) != parts.end();
}

TEST(SmallestSubset, WhatIsNeededIsLeft) {
  EXPECT_THAT(smallestSubset(0, [](const Parts &) { return Holds::Yes; }), IsEmpty());
  EXPECT_THAT(smallestSubset(9, [](const Parts &) { return Holds::Yes; }), IsEmpty());
  EXPECT_THAT(smallestSubset(3, [](const Parts &) { return Holds::No; }), ElementsAre(0, 1, 2));
  EXPECT_THAT(
      smallestSubset(100, [](const Parts &parts) { return has(parts, 7) && has(parts, 93) ? Holds::Yes : Holds::No; }),
      ElementsAre(7, 93));
}

/// Random dependences, as of statements on declarations: a part needs others, and some are needed in any case.
TEST(SmallestSubset, NoSinglePartOfTheResultCanGo) {
  std::mt19937 random(1);
  for (int run = 0; run < 300; ++run) {
    const std::size_t count = 1 + random() % 40;
    std::vector<std::set<std::size_t>> needs(count);
    std::set<std::size_t> wanted;
    for (std::size_t part = 1; part < count; ++part)
      if (random() % 2 == 0)
        needs[part].insert(random() % part);
    for (std::size_t i = 0; i < 3; ++i)
      wanted.insert(random() % count);
    std::set<Parts> asked;
    const auto holds = [&](const Parts &parts) {
      EXPECT_TRUE(std::ranges::is_sorted(parts));
      const auto isWhole = [&](std::size_t part) {
        return std::ranges::all_of(needs[part], [&](std::size_t other) { return has(parts, other); });
      };
      return std::ranges::all_of(parts, isWhole) &&
                     std::ranges::all_of(wanted, [&](std::size_t part) { return has(parts, part); })
                 ? Holds::Yes
                 : Holds::No;
    };
    const Parts kept = smallestSubset(count, holds);
    ASSERT_EQ(holds(kept), Holds::Yes);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      Parts rest = kept;
      rest.erase(rest.begin() + std::ptrdiff_t(i));
      ASSERT_EQ(holds(rest), Holds::No) << run;
    }
  }
}

TEST(SmallestSubset, AsksLittleWhereAllAreNeeded) {
  int asked = 0;
  smallestSubset(64, [&](const Parts &) {
    ++asked;
    return Holds::No;
  });
  EXPECT_EQ(asked, 127);
}

TEST(SmallestSubset, EndsWithTheBestUntilItIsStopped) {
  for (int most = 0; most < 30; ++most) {
    int asked = 0;
    Parts last = {0, 1, 2, 3, 4, 5, 6, 7};
    const Parts kept = smallestSubset(8, [&](const Parts &parts) {
      if (asked++ == most)
        return Holds::Stop;
      const bool isEnough = has(parts, 2) && has(parts, 5);
      if (isEnough)
        last = parts;
      return isEnough ? Holds::Yes : Holds::No;
    });
    EXPECT_EQ(kept, last) << most;
    EXPECT_LE(asked, most + 1);
  }
}

} // namespace
} // namespace agentic
