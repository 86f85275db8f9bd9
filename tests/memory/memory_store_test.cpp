#include "tool/memory/memory_store.h"

#include "tests/memory/memory_items.h"
#include "tool/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

class Memory : public testing::Test {
protected:
  MemoryStore open(std::size_t most = kMostMemoryItems) {
    auto store = MemoryStore::open(file(), most);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }
  std::string file() const { return (folder_.path() / "below" / "memory.sqlite").string(); }

  ScratchDirectory folder_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "memory-"));
};

TEST_F(Memory, KeepsItemsForTheNextProcess) {
  {
    MemoryStore store = open();
    const auto report = store.add({itemWith({"float"}, 2, {"lookup-table"}), itemWith({"integer"}, 0.5)});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->added, 2u);
  }
  const auto items = open().list();
  ASSERT_TRUE(items);
  ASSERT_EQ(items->size(), 2u);
  EXPECT_EQ((*items)[0].id, kindOf((*items)[0]));
}

TEST_F(Memory, NearDuplicatesAreOneWithTheStrongerText) {
  MemoryStore store = open();
  ASSERT_TRUE(store.add({itemWith({"float"}, 2, {"lookup-table"}, "first")}));
  const auto report = store.add({itemWith({"float"}, 3, {"lookup-table"}, "stronger"),
                                 itemWith({"float"}, 1.5, {"lookup-table"}, "weaker"),
                                 itemWith({"float"}, 0.5, {"lookup-table"}, "the other way")});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->merged, 2u);
  EXPECT_EQ(report->added, 1u);
  const auto items = store.list();
  ASSERT_EQ(items->size(), 2u);
  const MemoryItem &gain = (*items)[0].isGain() ? (*items)[0] : (*items)[1];
  EXPECT_EQ(gain.title, "stronger");
  EXPECT_EQ(gain.seen, 3);
  const auto scores = store.textScores("weaker first");
  EXPECT_TRUE(scores->empty()) << "texts that were replaced are found no more";
  EXPECT_EQ(store.textScores("stronger")->count(gain.id), 1u);
}

TEST_F(Memory, ForgetsWhatIsUsedLeastButNotTheNewest) {
  MemoryStore store = open(8);
  std::vector<MemoryItem> items;
  for (int i = 0; i < 8; ++i)
    items.push_back(itemWith({"float"}, 2, {"change-" + std::to_string(i)}));
  ASSERT_TRUE(store.add(items));
  std::vector<std::string> used;
  for (int i = 0; i < 8; ++i)
    if (i != 3)
      used.push_back(items[i].id);
  ASSERT_TRUE(store.used(used));
  const MemoryItem newest = itemWith({"integer"}, 2);
  const auto report = store.add({newest});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->forgotten, 1u);
  const auto left = store.list();
  ASSERT_EQ(left->size(), 8u);
  const auto has = [&](const std::string &id) { return std::ranges::find(*left, id, &MemoryItem::id) != left->end(); };
  EXPECT_FALSE(has(items[3].id)) << "it was never used";
  EXPECT_TRUE(has(newest.id)) << "it had no chance yet";
  EXPECT_TRUE(store.textScores("change")->count(items[3].id) == 0);
}

TEST_F(Memory, IsForgottenByIdAndAsAWhole) {
  MemoryStore store = open();
  const MemoryItem item = itemWith({"float"}, 2, {}, "blocked rows");
  ASSERT_TRUE(store.add({item, itemWith({"integer"}, 2)}));
  EXPECT_FALSE(*store.forget("m0000000000"));
  EXPECT_TRUE(*store.forget(item.id));
  EXPECT_EQ(store.list()->size(), 1u);
  EXPECT_TRUE(store.textScores("blocked")->empty());
  ASSERT_TRUE(store.forgetAll());
  EXPECT_TRUE(store.list()->empty());
}

TEST_F(Memory, WhatIsNoItemIsNotKept) {
  MemoryStore store = open();
  MemoryItem hostile = itemWith({"float"}, 2);
  hostile.title = "\x1b[2J";
  ASSERT_TRUE(store.add({hostile}));
  EXPECT_TRUE(store.list()->empty());
}

TEST_F(Memory, TextsWithSignsOfTheSearchAreWordsAlone) {
  MemoryStore store = open();
  ASSERT_TRUE(store.add({itemWith({"float"}, 2, {}, "halve the rows")}));
  for (const char *text : {"\"", "rows OR *", "NEAR(rows, 2)", "title: rows", "'; DROP TABLE items; --", ""})
    EXPECT_TRUE(store.textScores(text)) << text;
  EXPECT_EQ(store.textScores("NEAR(rows")->size(), 1u);
  EXPECT_EQ(store.list()->size(), 1u);
}

TEST_F(Memory, AFileThatIsNoDatabaseIsAnErrorWithARemedy) {
  ASSERT_TRUE(createDirectories(fs::path(file()).parent_path()));
  ASSERT_TRUE(writeFileAtomic(file(), std::string(4096, 'x')));
  const auto store = MemoryStore::open(file());
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr("the memory " + file() + " is damaged"));
  EXPECT_THAT(store.error().next, HasSubstr("remove the file"));
}

TEST_F(Memory, HasNoLogBesideItThatAllProcessesMustShare) {
  MemoryStore store = open();
  ASSERT_TRUE(store.add({itemWith({"float"}, 2)}));
  EXPECT_FALSE(fs::exists(file() + "-wal"));
  EXPECT_FALSE(fs::exists(file() + "-shm"));
}

} // namespace
} // namespace agentic
