#include "tool/llm/prices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

constexpr const char *kTable = R"({"date":"2026-01-02","source":"a test","models":{"p":{
  "plain":{"input":2,"output":10},
  "cached":{"input":4,"cached":0.4,"cache_write":5,"output":20,"context":1000,"max_output":100},
  "tiered":{"input":1,"cached":0.1,"output":2,"tiers":[{"above":1000,"input":3,"cached":0.3,"output":6}]}}}})";

Price priceNamed(const char *model) {
  const Result<PriceTable> table = PriceTable::parse(kTable, "table");
  EXPECT_TRUE(table);
  return table->find("p", model)->price;
}

TEST(Prices, OfUsage) {
  EXPECT_DOUBLE_EQ(costOf(priceNamed("plain"), {.freshInput = 1000, .output = 100}), 0.002 + 0.001);
  EXPECT_DOUBLE_EQ(costOf(priceNamed("plain"), {.freshInput = 0, .cachedInput = 1000}), 0.002); // no cache price given
  EXPECT_DOUBLE_EQ(
      costOf(priceNamed("cached"), {.freshInput = 1000, .cachedInput = 10000, .cacheWrite = 100, .output = 10}),
      0.004 + 0.004 + 0.0005 + 0.0002);
  // Reasoning is part of the output; it is not counted twice.
  EXPECT_DOUBLE_EQ(costOf(priceNamed("plain"), {.output = 100, .reasoning = 90}), 0.001);
}

TEST(Prices, ATierRepricesTheWholePrompt) {
  EXPECT_DOUBLE_EQ(costOf(priceNamed("tiered"), {.freshInput = 1000, .output = 1000}), 0.001 + 0.002);
  EXPECT_DOUBLE_EQ(costOf(priceNamed("tiered"), {.freshInput = 1, .cachedInput = 1000, .output = 1000}),
                   0.000003 + 0.0003 + 0.006);
}

TEST(Prices, TheWorstCaseIsNeverBelowTheCost) {
  for (const char *model : {"plain", "cached", "tiered"})
    for (const std::int64_t input : {0, 1, 999, 1000, 1001, 50'000})
      for (const double share : {0.0, 0.5, 1.0}) {
        const auto cached = static_cast<std::int64_t>(share * static_cast<double>(input));
        for (const ChatUsage &usage : {ChatUsage{.freshInput = input - cached, .cachedInput = cached, .output = 500},
                                       ChatUsage{.freshInput = input - cached, .cacheWrite = cached, .output = 500}})
          EXPECT_GE(worstCost(priceNamed(model), static_cast<std::size_t>(input), 500) + 1e-12,
                    costOf(priceNamed(model), usage))
              << model << " " << input;
      }
  EXPECT_DOUBLE_EQ(worstCost(priceNamed("cached"), 1000, 100), 0.005 + 0.002); // all of it written to the cache
  EXPECT_DOUBLE_EQ(worstCost(priceNamed("tiered"), 1001, 0), 0.003003);
}

TEST(Prices, AnUnknownModelHasNone) {
  const PriceTable table = *PriceTable::parse(kTable, "table");
  EXPECT_EQ(table.find("p", "other"), nullptr);
  EXPECT_EQ(table.find("q", "plain"), nullptr);
  EXPECT_FALSE(priceOf("p:other", {}, nullptr, table));
  EXPECT_FALSE(priceOf("http://h#plain", {}, nullptr, table));
  ASSERT_TRUE(priceOf("p:plain", {}, nullptr, table));
  EXPECT_NE(table.find("p", "plain-2026-03-05"), nullptr);
  EXPECT_NE(table.find("p", "plain-20260305"), nullptr);
  EXPECT_EQ(table.find("p", "plain-2026030"), nullptr);
}

TEST(Prices, WhatTheServerListsCountsMore) {
  const PriceTable table = *PriceTable::parse(kTable, "table");
  const ModelFacts facts{.inputUsd = 1e-6, .outputUsd = 3e-6, .cacheReadUsd = 1e-7};
  const std::optional<Price> price = priceOf("p:plain", facts, nullptr, table);
  ASSERT_TRUE(price);
  EXPECT_DOUBLE_EQ(costOf(*price, {.freshInput = 1000, .cachedInput = 1000, .output = 1000}), 0.001 + 0.0001 + 0.003);
  EXPECT_EQ(price->source, "the provider's list");
}

TEST(Prices, AUsersCountMost) {
  const PriceTable table = *PriceTable::parse(kTable, "table");
  const PriceTable own = *PriceTable::parse(
      R"({"models":{"p":{"plain":{"input":1,"output":1}},"mine":{"m":{"input":0,"output":0}}}})", "prices.json");
  const ModelFacts free{.inputUsd = 0, .outputUsd = 0};
  for (const ModelFacts &facts : {ModelFacts(), free}) {
    const std::optional<Price> price = priceOf("p:plain", facts, &own, table);
    ASSERT_TRUE(price);
    EXPECT_EQ(price->tiers[0].output, 1);
    EXPECT_EQ(price->source, "prices.json");
  }
  EXPECT_EQ(priceOf("p:cached", {}, &own, table)->date, "2026-01-02");
  EXPECT_EQ(priceOf("p:cached", free, &own, table)->source, "the provider's list");
  EXPECT_TRUE(priceOf("mine:m", {}, &own, table));
}

TEST(Prices, ABadTableIsNamed) {
  for (const char *text :
       {"", "[]", "{}", R"({"models":{"p":{"m":{"input":1}}}})", R"({"models":{"p":{"m":{"input":-1,"output":1}}}})",
        R"({"models":{"p":{"m":{"input":"1","output":1}}}})", R"({"models":{"p":{"m":7}}})",
        R"({"models":{"p":{"m":{"input":1,"output":1,"tiers":[{"input":1,"output":1}]}}}})"}) {
    const Result<PriceTable> table = PriceTable::parse(text, "my prices");
    ASSERT_FALSE(table) << text;
    EXPECT_THAT(table.error().message, HasSubstr("my prices"));
  }
}

TEST(Prices, TheBuiltInTableIsDatedAndSane) {
  const PriceRow *row = PriceTable::builtin().find("anthropic", "claude-opus-5-5");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->price.tiers[0].input, 4);
  EXPECT_EQ(row->price.tiers[0].cached, 0.2);
  EXPECT_EQ(row->price.tiers[0].cacheWrite, 5);
  EXPECT_EQ(row->price.tiers[0].output, 20);
  EXPECT_EQ(row->contextTokens, 1'000'000);
  EXPECT_EQ(row->price.date.size(), 10u);
  EXPECT_FALSE(row->price.source.empty());
  const PriceRow *tiered = PriceTable::builtin().find("openai", "gpt-5.4");
  ASSERT_NE(tiered, nullptr);
  ASSERT_EQ(tiered->price.tiers.size(), 2u);
  EXPECT_EQ(tiered->price.tiers[1].aboveInput, 272'000);
  EXPECT_EQ(tiered->price.tiers[1].output, 22.5);
}

} // namespace
} // namespace agentic
