// Tests what runs of the built-in search know of earlier ones, and what they leave for later ones.
#include "tool/run/run_recipes.h"

#include "tests/search/loop_fixture.h"
#include "tool/memory/recipe_store.h"
#include "tool/run/run_memory.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Warned : public Messages {
public:
  void note(const std::string &) override {}
  void warn(const std::string &message) override { warnings.push_back(message); }
  void progress(const std::string &) override {}
  void endProgress() override {}
  std::optional<bool> agrees(const std::string &) override { return std::nullopt; }
  std::vector<std::string> warnings;
};

class RunRecipes : public testing::Test {
protected:
  void SetUp() override {
    scratch_.emplace(std::move(*ScratchDirectory::create(fs::temp_directory_path(), "agentic-recipes-")));
    surroundings_.cancelled = &never_;
    surroundings_.environment = [this](const std::string &name) -> std::optional<std::string> {
      return name == "XDG_CACHE_HOME" ? std::optional(scratch_->path().string()) : std::nullopt;
    };
    config_.model.memory = "shared";
  }
  std::vector<std::string> recalled() { return recallRecipes(messages_, surroundings_, config_, evaluator_); }
  void remember(const std::string &recipe, double ratio) {
    rememberRecipe(messages_, surroundings_, config_, evaluator_, recipe, ratio);
  }
  std::vector<std::string> files() const { return memoryFiles("shared", evaluator_.manifest(), surroundings_); }

  std::atomic<bool> never_ = false;
  std::optional<ScratchDirectory> scratch_;
  Surroundings surroundings_;
  Warned messages_;
  RunConfig config_;
  TableEvaluator evaluator_{{}};
};

TEST_F(RunRecipes, AreTheBestOfBothMemoriesEachOnce) {
  remember("x(i)", 2);
  for (int i = 0; i < 5; ++i)
    remember("y(" + std::to_string(i) + ")", 3 + i);
  EXPECT_THAT(recalled(), ElementsAre("y(4)", "y(3)", "y(2)", "y(1)"));
  config_.model.memory = "project";
  remember("own(i)", 9);
  EXPECT_THAT(recalled(), ElementsAre("own(i)", "y(4)", "y(3)", "y(2)"));
  const auto shared = RecipeStore::open(files()[1])->list();
  ASSERT_TRUE(shared);
  ASSERT_EQ(shared->size(), 6U) << "not what the project keeps for itself";
  for (const WinningRecipe &one : *shared)
    EXPECT_EQ(one.kernel, "") << "no name of a project";
  EXPECT_EQ(RecipeStore::open(files()[0])->list()->front().kernel, "k");
  EXPECT_THAT(messages_.warnings, IsEmpty());
}

TEST_F(RunRecipes, AreNeitherReadNorKeptWithoutAMemory) {
  remember("x(i)", 2);
  const auto makes = [&](const std::function<void(RunConfig &)> &change) {
    const RunConfig before = config_;
    change(config_);
    EXPECT_THAT(recalled(), IsEmpty());
    remember("y(i)", 3);
    config_ = before;
    EXPECT_THAT(recalled(), ElementsAre("x(i)"));
  };
  makes([](RunConfig &config) { config.cold = true; });
  makes([](RunConfig &config) { config.model.memory = "off"; });
  makes([](RunConfig &config) { config.optimization = "-O0"; });
}

TEST_F(RunRecipes, ADamagedMemoryIsAWarningWithTheNextStep) {
  remember("x(i)", 2);
  ASSERT_TRUE(writeFileAtomic(files()[0], std::string(5000, 'x')));
  EXPECT_THAT(recalled(), ElementsAre("x(i)")) << "of the other one";
  remember("y(i)", 3);
  ASSERT_EQ(messages_.warnings.size(), 2U);
  for (const std::string &warning : messages_.warnings)
    EXPECT_THAT(warning, HasSubstr("remove the file"));
}

} // namespace
} // namespace agentic
