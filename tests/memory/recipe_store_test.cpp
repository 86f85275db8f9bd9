#include "tool/memory/recipe_store.h"

#include "tool/base/files.h"
#include "tool/memory/memory_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

KernelSpec specWith(const std::vector<std::string> &headers) {
  KernelSpec spec;
  for (const std::string &header : headers)
    spec.loops.push_back({1, 1, static_cast<int>(spec.loops.size()), header});
  return spec;
}

class RecipeStoreTest : public testing::Test {
protected:
  void SetUp() override {
    auto made = ScratchDirectory::create(fs::temp_directory_path(), "agentic-store-");
    ASSERT_TRUE(made);
    folder_.emplace(std::move(*made));
    path_ = (folder_->path() / "cache" / "memory.sqlite").string();
  }
  RecipeStore open() {
    auto store = RecipeStore::open(path_);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }
  static std::vector<std::string> namesOf(const Result<std::vector<WinningRecipe>> &recipes) {
    EXPECT_TRUE(recipes) << recipes.error().message;
    std::vector<std::string> names;
    for (const WinningRecipe &one : recipes.value_or(std::vector<WinningRecipe>()))
      names.push_back(one.recipe);
    return names;
  }
  std::optional<ScratchDirectory> folder_;
  std::string path_;
};

TEST_F(RecipeStoreTest, RecallsTheBestOfAShapeFirst) {
  RecipeStore store = open();
  EXPECT_THAT(namesOf(store.recall("a")), IsEmpty());
  for (const auto &[recipe, ratio] : {std::pair{"x(i)", 2.0}, {"y(i)", 5.0}, {"x(i)", 6.0}, {"z(i)", 1.5}, {"x(i)", 3}})
    ASSERT_TRUE(store.remember("a", {"k", recipe, ratio}));
  ASSERT_TRUE(store.remember("b", {"l", "other(j)", 9}));
  EXPECT_THAT(namesOf(store.recall("a")), ElementsAre("x(i)", "y(i)", "z(i)"));
  RecipeStore again = open();
  EXPECT_THAT(namesOf(again.recall("b")), ElementsAre("other(j)"));
  const auto all = again.list();
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 4U);
  EXPECT_EQ(all->front().kernel, "l");
  EXPECT_EQ((*all)[1].ratio, 6);
}

TEST_F(RecipeStoreTest, FourAtMostAreRecalledAndTheOldestAreForgotten) {
  RecipeStore store = open();
  for (std::size_t i = 0; i < kMostRecipes + 5; ++i)
    ASSERT_TRUE(store.remember("a", {"k", "r" + std::to_string(i), i == 2 ? 1e6 : static_cast<double>(i)}));
  EXPECT_THAT(namesOf(store.recall("a")), ElementsAre("r1004", "r1003", "r1002", "r1001"));
  EXPECT_EQ(namesOf(store.list()).size(), kMostRecipes);
}

TEST_F(RecipeStoreTest, WhatWonLatelyStays) {
  RecipeStore store = open();
  ASSERT_TRUE(store.remember("a", {"k", "old", 9}));
  for (std::size_t i = 0; i < kMostRecipes; ++i) {
    if (i == kMostRecipes / 2) {
      ASSERT_TRUE(store.remember("a", {"l", "old", 3}));
    }
    ASSERT_TRUE(store.remember("a", {"k", "r" + std::to_string(i), 1}));
  }
  const auto best = store.recall("a");
  ASSERT_TRUE(best);
  EXPECT_EQ(best->front().recipe, "old");
  EXPECT_EQ(best->front().ratio, 9);
  EXPECT_EQ(best->front().kernel, "l");
}

TEST_F(RecipeStoreTest, AMemoryWithoutThemIsRead) {
  ASSERT_TRUE(MemoryStore::open(path_)); // as an earlier version made it
  fs::permissions(path_, fs::perms::owner_read);
  EXPECT_THAT(namesOf(open().recall("a")), IsEmpty());
  EXPECT_THAT(namesOf(open().list()), IsEmpty());
  EXPECT_TRUE(open().forgetAll());
}

TEST_F(RecipeStoreTest, SharesTheFileOfTheItems) {
  MemoryItem item{.title = "blocks of 32"};
  item.words = {"reduction"};
  item.speedup = {2, 1.9, 2.1, true};
  ASSERT_TRUE(open().remember("a", {"k", "x(i)", 3}));
  auto items = MemoryStore::open(path_);
  ASSERT_TRUE(items) << items.error().message;
  const auto added = items->add({item});
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->added, 1U);
  RecipeStore store = open();
  EXPECT_THAT(namesOf(store.recall("a")), ElementsAre("x(i)"));
  ASSERT_TRUE(store.forgetAll());
  EXPECT_THAT(namesOf(store.list()), IsEmpty());
  EXPECT_EQ(items->list()->size(), 1U);
}

TEST_F(RecipeStoreTest, AFileThatIsNoDatabaseIsAnErrorWithTheNextStep) {
  fs::create_directories(fs::path(path_).parent_path());
  ASSERT_TRUE(writeFileAtomic(path_, std::string(5000, 'x')));
  const auto recalled = open().recall("a");
  ASSERT_FALSE(recalled);
  EXPECT_THAT(recalled.error().next, testing::HasSubstr("remove the file"));
}

TEST(KernelShape, IsThatOfTheLoops) {
  const KernelSpec spec = specWith({"for (int i = 0; i < n; ++i)", "for (int j = 0; j < n; ++j)"});
  KernelSpec edited = spec;
  edited.text = "another body";
  EXPECT_EQ(shapeOf(spec, "x86-64-v4", "gcc"), shapeOf(edited, "x86-64-v4", "gcc"));
  EXPECT_NE(shapeOf(spec, "x86-64-v4", "gcc"), shapeOf(spec, "x86-64-v4", "clang"));
  EXPECT_NE(shapeOf(spec, "x86-64-v4", "gcc"), shapeOf(spec, "x86-64-v3", "gcc"));
  EXPECT_NE(shapeOf(spec, "x86-64-v4", "gcc"), shapeOf(specWith({"for (int i = 0; i < n; ++i)"}), "x86-64-v4", "gcc"));
}

} // namespace
} // namespace agentic
