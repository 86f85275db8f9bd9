// Tests what a search starts from: earlier winners, or a given candidate.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

class SearchStart : public testing::Test {
protected:
  void SetUp() override {
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }

  Outcome optimize(std::vector<std::string> options, const char *seconds = "90") const {
    options.insert(options.begin(), {"optimize", "--no-write", "--max-seconds", seconds});
    return project_.tool(std::move(options));
  }

  /// Returns the events of that kind in the run's journal.
  static std::vector<nlohmann::json> events(const Outcome &outcome, const std::string &event) {
    std::vector<nlohmann::json> result;
    const auto journal = readFile(outcome.json.at("run_dir").get<std::string>() + "/journal.jsonl");
    EXPECT_TRUE(journal);
    for (const std::string &line : split(journal ? *journal : "", '\n')) {
      const nlohmann::json entry = nlohmann::json::parse(line, nullptr, false);
      if (entry.is_object() && entry.value("event", "") == event)
        result.push_back(entry);
    }
    return result;
  }
  static std::string firstOrigin(const Outcome &outcome) {
    const auto evaluated = events(outcome, "evaluated");
    return evaluated.empty() ? "" : evaluated.front().at("candidate").at("origin").get<std::string>();
  }

  Project project_{"examples/quickstart"};
};

TEST_F(SearchStart, ASecondRunBeginsWithWhatWon) {
  const Outcome first = optimize({"--max-iterations", "6"});
  ASSERT_EQ(first.status, 0) << first.all();
  const std::string winner = first.json.at("best").at("origin");
  const Outcome second = optimize({"--max-iterations", "1"});
  ASSERT_EQ(second.status, 0) << second.all();
  EXPECT_EQ(firstOrigin(second), winner);
  EXPECT_EQ("builtin: " + events(second, "run-started").at(0).at("config").at("startRecipes").at(0).get<std::string>(),
            winner);
  const Outcome kept = project_.tool({"memory", "list"});
  // Once, though two runs found it; the second may have kept a shorter one besides.
  std::vector<std::string> recipes;
  for (const auto &recipe : kept.json.at("recipes")) {
    recipes.push_back("builtin: " + recipe.at("recipe").get<std::string>());
    EXPECT_EQ(recipe.at("kernel"), "column_sums");
  }
  EXPECT_EQ(std::ranges::count(recipes, winner), 1) << kept.all();
  // With however little time, the best opening is tried, and nothing else.
  const Outcome cold = optimize({"--cold", "--max-total-seconds", "300"}, "0.001");
  EXPECT_TRUE(events(cold, "run-started").at(0).at("config").at("startRecipes").empty()) << cold.all();
  EXPECT_EQ(events(cold, "evaluated").size(), 1u) << cold.all();
  EXPECT_EQ(cold.json.at("iterations"), 1);
  EXPECT_EQ(cold.json.at("reason"), "the time budget is spent");
}

TEST_F(SearchStart, ASeedIsTransformed) {
  const std::string seed = (project_.root() / "seed.cpp").string();
  ASSERT_TRUE(writeFileAtomic(seed, R"(static float plus(float left, float right) { return left + right; }
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t seedColumn = 0; seedColumn < columns; ++seedColumn) {
    float sum = 0.0f;
    for (std::size_t r = 0; r < rows; ++r)
      sum = plus(sum, matrix[r * columns + seedColumn]);
    sums[seedColumn] = sum;
  }
}
)"));
  const Outcome outcome = optimize({"--max-iterations", "4", "--seed-from", seed});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NE(outcome.json.at("best").at("origin").get<std::string>().find("(seedColumn"), std::string::npos)
      << outcome.all();
}

TEST_F(SearchStart, AWrongSeedIsNotBuiltUpon) {
  const std::string seed = (project_.root() / "seed.cpp").string();
  ASSERT_TRUE(writeFileAtomic(seed, "void columnSums(const float *, float *sums, std::size_t, std::size_t columns) {\n"
                                    "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0;\n}\n"));
  expectOneError(optimize({"--seed-from", seed}), 1, {"rejected by test", "agentic-kernel evaluate"});
  expectOneError(optimize({"--seed-from", seed + ".missing"}), 1, {"seed.cpp.missing"});
}

} // namespace
} // namespace agentic::e2e
