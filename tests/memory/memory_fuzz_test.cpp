// Hostile memories: everything that reads them is compiled with sanitizers here, and must come through.
#include "tests/base/text_changes.h"
#include "tests/memory/memory_items.h"
#include "tool/base/files.h"
#include "tool/memory/change_words.h"
#include "tool/memory/item_lines.h"
#include "tool/memory/memory_store.h"
#include "tool/memory/recall.h"

#include <gtest/gtest.h>

#include <random>

namespace agentic {
namespace {

constexpr const char *kSeeds[] = {
    R"({"v":1,"title":"a table","change":"c","reason":"r","before":"for (;;)\n","after":"t[x]\n","changes":["lookup-table"],)"
    R"("words":["float","reduction"],"bounds":["memory"],"kernel":"k","level":"x86-64-v3","family":"clang","agent":"a:b",)"
    R"("ratio":2.5,"low":2.4,"high":2.6,"interval":true,"seen":3,"uses":7,"id":"m0123456789"})",
    R"({"v":1,"title":"t","words":["integer"],"ratio":0.5})",
    R"({"v":1,"title":"\u0041\ud83d\ude00","words":["byte","hashing"],"ratio":1e8,"seen":2147483648})",
};
constexpr const char *kPieces[] = {"\"",       "{",       "}",       "[",    "]",       ":",
                                   ",",        "\\u0000", "\\ud800", "\\",   "\n",      "1e",
                                   "-",        "1e308",   "null",    "true", "[[",      "\xff",
                                   "\xe2\x82", "```",     "0",       ".",    "\\u202e", "9999999999999999999"};

std::string mutatedLines(std::mt19937 &random) {
  std::string text;
  for (unsigned lines = 1 + random() % 3; lines > 0; --lines)
    text += std::string(kSeeds[random() % std::size(kSeeds)]) + "\n";
  for (unsigned changes = 1 + random() % 6; changes > 0; --changes)
    changeSomewhere(text, kPieces, random);
  return text;
}

TEST(HostileMemory, IsReadKeptRankedAndShown) {
  auto store = MemoryStore::open(":memory:", 50);
  ASSERT_TRUE(store) << store.error().message;
  std::mt19937 random(27);
  std::size_t kept = 0, leftOut = 0;
  for (int i = 0; i < 5000; ++i) {
    const ReadItems read = readItemLines(mutatedLines(random));
    kept += read.items.size();
    leftOut += read.leftOut;
    for (const MemoryItem &item : read.items) {
      ASSERT_EQ(whyNoItem(item), "");
      ASSERT_EQ(whyNoItem(withoutSource(item)), "");
      memoryText(item);
    }
    if (i % 10 != 0)
      continue;
    ASSERT_TRUE(store->add(read.items));
    const auto items = store->list();
    ASSERT_TRUE(items);
    ASSERT_LE(items->size(), 50u);
    const auto chosen = chooseMemory(rankMemory(*items, {.words = {"float", "integer", "byte"}}));
    ASSERT_LE(memoryForPrompt(chosen).size(), kRecalledBytes);
  }
  EXPECT_GT(kept, 1000u) << "mutations that leave no item prove little";
  EXPECT_GT(leftOut, 1000u);
}

TEST(HostileMemory, OfDeepNestingAndManyMegabytesTakesSeconds) {
  for (const char *piece : {"[", "{\"a\":", "\"", "\n", "{}\n", "\\", "\xff"}) {
    std::string text;
    while (text.size() < (1u << 20))
      text += piece;
    EXPECT_TRUE(readItemLines(text).items.empty());
  }
}

TEST(HostileSource, IsComparedInLinearTime) {
  std::mt19937 random(28);
  for (int i = 0; i < 2000; ++i) {
    const std::string before = mutatedLines(random), after = mutatedLines(random);
    for (const std::string &word : changeWordsOf(before, after))
      ASSERT_TRUE(std::ranges::any_of(changeWords(), [&](const ChangeWord &row) { return row.word == word; }));
    moveNames(after);
    const ChangedLines lines = changedLines(before, after);
    MemoryItem item = itemWith({"float"}, 2);
    item.title = "t" + memoryLine(after.substr(0, 90));
    item.before = memorySource(lines.before);
    item.after = memorySource(lines.after);
    ASSERT_EQ(whyNoItem(item), "");
  }
  for (const char *piece : {"for(", "{", "}", "'", "\"", "/*", "(", "a[", "= {"}) {
    std::string text;
    while (text.size() < (1u << 18))
      text += piece;
    changeWordsOf(text, text);
    moveNames(text);
  }
}

} // namespace
} // namespace agentic
