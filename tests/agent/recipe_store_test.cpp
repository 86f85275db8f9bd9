#include "tool/agent/recipe_store.h"
#include "tool/base/files.h"

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
    path_ = (folder_->path() / "cache" / "recipes.jsonl").string();
  }
  std::optional<ScratchDirectory> folder_;
  std::string path_;
};

TEST_F(RecipeStoreTest, RecallsTheBestOfAShapeFirst) {
  const RecipeStore store(path_);
  EXPECT_THAT(store.recall("a"), IsEmpty());
  for (const auto &[recipe, ratio] : {std::pair{"x(i)", 2.0}, {"y(i)", 5.0}, {"x(i)", 6.0}, {"z(i)", 1.5}})
    ASSERT_TRUE(store.remember("a", "k", recipe, ratio));
  ASSERT_TRUE(store.remember("b", "k", "other(j)", 9));
  EXPECT_THAT(store.recall("a"), ElementsAre("x(i)", "y(i)", "z(i)"));
  EXPECT_THAT(RecipeStore(path_).recall("b"), ElementsAre("other(j)"));
}

TEST_F(RecipeStoreTest, SkipsWhatItCannotRead) {
  ASSERT_TRUE(writeFileAtomic(path_,
                              "not json\n{\"shape\":\"a\"}\n{\"shape\":\"a\",\"recipe\":7,\"ratio\":\"x\"}\n[1]\n"
                              "{\"shape\":\"a\",\"recipe\":\"x(i)\",\"ratio\":3}\n{\"shape\":\"a\",\"rec"));
  EXPECT_THAT(RecipeStore(path_).recall("a"), ElementsAre("x(i)"));
  ASSERT_TRUE(RecipeStore(path_).remember("a", "k", "y(i)", 4));
  EXPECT_THAT(RecipeStore(path_).recall("a"), ElementsAre("y(i)", "x(i)"));
}

TEST_F(RecipeStoreTest, StaysSmall) {
  std::string lines;
  for (int i = 0; i < 2500; ++i)
    lines += "{\"shape\":\"a\",\"recipe\":\"r" + std::to_string(i) + "\",\"ratio\":1}\n";
  ASSERT_TRUE(writeFileAtomic(path_, lines));
  ASSERT_TRUE(RecipeStore(path_).remember("a", "k", "new(i)", 2));
  const auto text = readFile(path_);
  ASSERT_TRUE(text);
  EXPECT_EQ(std::ranges::count(*text, '\n'), 1001);
  EXPECT_THAT(RecipeStore(path_).recall("a").front(), "new(i)");
}

TEST_F(RecipeStoreTest, WithoutAFileNothingIsRemembered) {
  EXPECT_TRUE(RecipeStore("").remember("a", "k", "x(i)", 2));
  EXPECT_THAT(RecipeStore("").recall("a"), IsEmpty());
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
