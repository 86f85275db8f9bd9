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
    for (std::string_view field : {level.guard, level.processor, level.features, level.target, level.macros})
      EXPECT_FALSE(field.empty()) << level.name;
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

TEST(Level, EachProcessorHasItsOwnLowestFirst) {
  const auto names = [](std::string_view processor) {
    std::vector<std::string> list;
    for (const Level *level : levelsOf(processor))
      list.emplace_back(level->name);
    return list;
  };
  EXPECT_EQ(names("x86_64"), (std::vector<std::string>{"x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-vnni"}));
  EXPECT_EQ(names("aarch64"), (std::vector<std::string>{"armv8-a", "armv8.2-a", "sve", "sve2"}));
  EXPECT_EQ(names("riscv64"), std::vector<std::string>{"rv64gcv"});
  EXPECT_EQ(names("z80"), std::vector<std::string>{});
  for (const char *processor : {"x86_64", "aarch64", "riscv64"})
    EXPECT_TRUE(std::ranges::is_sorted(levelsOf(processor), {}, &Level::rank)) << processor;
}

TEST(Level, WhatOnlySomeMachinesOfAGenerationHaveIsOnRequest) {
  for (const Level &level : levels())
    EXPECT_EQ(level.onRequest, level.name == "x86-64-v4-vnni") << level.name;
}

} // namespace
} // namespace agentic
