#include "tool/model/level.h"

#include "tool/base/text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace agentic {
namespace {

TEST(Level, IsFoundByItsName) {
  for (const Level &level : levels())
    EXPECT_EQ(findLevel(level.name), &level);
  EXPECT_EQ(findLevel("x86-64-v9"), nullptr);
  EXPECT_EQ(findLevel(""), nullptr);
  EXPECT_EQ(levelNames().size(), levels().size());
}

TEST(Level, RowsAreUsable) {
  std::set<std::string_view> names, identifiers;
  for (const Level &level : levels()) {
    EXPECT_TRUE(names.insert(level.name).second) << level.name;
    EXPECT_TRUE(identifiers.insert(level.identifier).second) << level.name;
    EXPECT_TRUE(std::all_of(level.identifier.begin(), level.identifier.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    })) << level.identifier;
    EXPECT_FALSE(level.guard.empty() || level.processor.empty() || level.features.empty()) << level.name;
  }
}

TEST(Level, AHigherRankOfOneProcessorHasAllThatALowerOneHas) {
  const auto setOf = [](std::string_view text, char separator) {
    const auto parts = split(text, separator);
    return std::set<std::string>(parts.begin(), parts.end());
  };
  for (const Level &low : levels())
    for (const Level &high : levels())
      if (low.processor == high.processor && low.rank < high.rank) {
        const auto lowFeatures = setOf(low.features, ','), highFeatures = setOf(high.features, ',');
        const auto lowMacros = setOf(low.macros, ' '), highMacros = setOf(high.macros, ' ');
        EXPECT_TRUE(std::ranges::includes(highFeatures, lowFeatures)) << low.name << " in " << high.name;
        EXPECT_TRUE(std::ranges::includes(highMacros, lowMacros)) << low.name << " in " << high.name;
      }
}

} // namespace
} // namespace agentic
