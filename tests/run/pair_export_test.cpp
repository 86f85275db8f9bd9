#include "tool/run/pair_export.h"

#include "tool/base/text.h"
#include "tool/search/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class PairExport : public testing::Test {
protected:
  void SetUp() override {
    auto journal = Journal::create(scratch_.path().string(), {.kernel = "k", .level = "x86-64-v3", .family = "clang"},
                                   {.agent = "some:model"});
    ASSERT_TRUE(journal) << journal.error().message;
    journal_.emplace(std::move(*journal));
    ASSERT_TRUE(journal_->described({.environment = {{"CPU", "Example"}, {"compiler", "clang 19.1.7"}}},
                                    "void k() { slow(); }\n", 1));
  }

  Candidate tried(const std::string &text, Verdict verdict, double ratio, double overBest = 0, bool isBest = false,
                  const std::string &parent = "") {
    const Candidate candidate = makeCandidate(text, "some:model call 1", parent);
    Evaluation evaluation{.candidate = candidate.id, .verdict = verdict, .stage = Stage::Benchmark};
    const auto measured = [](double of) {
      return Measurement{.speedup = {.ratio = of, .low = of * 0.9, .high = of * 1.1, .isInterval = true}};
    };
    if (ratio > 0)
      evaluation.measurement = measured(ratio);
    if (overBest > 0)
      evaluation.againstIncumbent = measured(overBest);
    EXPECT_TRUE(journal_->proposed({.candidates = {candidate}, .call = 1}, 1));
    EXPECT_TRUE(journal_->evaluated(candidate, evaluation, isBest, 1));
    return candidate;
  }

  std::vector<nlohmann::json> pairs(const std::string &licence = "") {
    const auto exported = pairsOfRun(journal_->directory(), licence);
    EXPECT_TRUE(exported) << exported.error().message;
    std::vector<nlohmann::json> lines;
    for (const std::string &line : split(exported->lines, '\n'))
      if (!line.empty())
        lines.push_back(nlohmann::json::parse(line));
    EXPECT_EQ(lines.size(), exported->count);
    return lines;
  }

  ScratchDirectory scratch_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "pairs"));
  std::optional<Journal> journal_;
};

TEST_F(PairExport, HasTheSlowOneFirstWhicheverWasThereBefore) {
  const Candidate fast = tried("void k() { fast(); }\n", Verdict::Accepted, 3, 0, true);
  const Candidate worse = tried("void k() { worse(); }\n", Verdict::NotFaster, 0, 0.5, false, fast.id);
  const auto lines = pairs("MIT");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["schema"], "agentic-kernel/pairs/1");
  EXPECT_EQ(lines[0]["slow"]["source"], "void k() { slow(); }\n");
  EXPECT_EQ(lines[0]["slow"]["id"], "baseline");
  EXPECT_EQ(lines[0]["fast"]["source"], fast.text);
  EXPECT_EQ(lines[0]["fast"]["verdict"], "accepted");
  EXPECT_EQ(lines[0]["ratio"], 3.0);
  EXPECT_EQ(lines[0]["compiler"], "clang 19.1.7");
  EXPECT_EQ(lines[0]["level"], "x86-64-v3");
  EXPECT_EQ(lines[0]["agent"], "some:model");
  EXPECT_EQ(lines[0]["licence"], "MIT");
  EXPECT_EQ(lines[1]["fast"]["id"], fast.id);
  EXPECT_EQ(lines[1]["slow"]["id"], worse.id);
  EXPECT_EQ(lines[1]["slow"]["verdict"], "not-faster");
  EXPECT_EQ(lines[1]["ratio"], 2.0);
  EXPECT_GT(lines[1]["low"].get<double>(), 1.7);
  EXPECT_TRUE(pairs()[0]["licence"].is_null());
}

TEST_F(PairExport, LeavesOutWhatFailedOrSaysNothing) {
  tried("void k() { wrong(); }\n", Verdict::Rejected, 9);
  tried("void k() { equal(); }\n", Verdict::NotFaster, 1.01);
  EXPECT_TRUE(pairs().empty());
  EXPECT_FALSE(pairsOfRun((scratch_.path() / "none").string(), ""));
}

} // namespace
} // namespace agentic
