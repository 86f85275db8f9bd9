#include "tool/search/tuning.h"

#include "tool/base/files.h"
#include "tool/search/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace agentic {
namespace {

using testing::HasSubstr;

constexpr const char *kText = "AGENTIC_TUNE(k, 4, 8, 16);\nAGENTIC_TUNE(u, 1, 2);\nint x = k + u;\n";

std::string plain(int k, int u) {
  return "constexpr int k = " + std::to_string(k) + ";\nconstexpr int u = " + std::to_string(u) + ";\nint x = k + u;\n";
}

Evaluation measured(double ratio) {
  Evaluation evaluation;
  evaluation.stage = ratio == 0 ? Stage::Test : Stage::Benchmark;
  if (ratio == 0)
    return evaluation;
  evaluation.verdict = ratio > 1 ? Verdict::Accepted : Verdict::NotFaster;
  evaluation.measurement.emplace().speedup = {ratio, ratio, ratio};
  return evaluation;
}

class TuningTest : public testing::Test {
protected:
  TuningTest() {
    request_.candidate = makeCandidate(kText, "model call 1");
    request_.evaluate = [this](const Candidate &settled) -> Result<std::optional<Evaluation>> {
      if (static_cast<int>(evaluated_.size()) == most_)
        return std::nullopt;
      evaluated_.push_back(settled.text);
      return measured(ratios_.contains(settled.text) ? ratios_.at(settled.text) : 1.5);
    };
    request_.record = [this](const TriedSetting &tried) {
      recorded_.push_back(tried);
      return Result<void>();
    };
  }
  TuningRequest request_;
  std::map<std::string, double> ratios_;
  std::vector<std::string> evaluated_;
  std::vector<TriedSetting> recorded_;
  int most_ = 100;
};

TEST_F(TuningTest, TheBestSettingIsTheAttemptWithPlainConstants) {
  ratios_ = {{plain(8, 1), 2}, {plain(8, 2), 3}, {plain(16, 1), 0}};
  const auto attempt = tune(request_);
  ASSERT_TRUE(attempt && *attempt);
  EXPECT_EQ((*attempt)->candidate.text, plain(8, 2));
  EXPECT_EQ((*attempt)->candidate.id, makeCandidate(plain(8, 2), "").id);
  EXPECT_EQ((*attempt)->candidate.parent, request_.candidate.id);
  EXPECT_EQ((*attempt)->candidate.origin, "model call 1");
  EXPECT_TRUE(isOf(**attempt, request_.candidate.id));
  EXPECT_DOUBLE_EQ((*attempt)->evaluation.measurement->speedup.ratio, 3);
  EXPECT_EQ((*attempt)->evaluation.tuning, "with k=8, u=2, the best of 6 settings, 1 of which were rejected");
  EXPECT_EQ(evaluated_.front(), plain(4, 1)); // its author's best guess
  EXPECT_EQ(recorded_.size(), evaluated_.size());
}

TEST_F(TuningTest, AFirstSettingThatIsRejectedIsTheVerdict) {
  ratios_ = {{plain(4, 1), 0}};
  const auto attempt = tune(request_);
  ASSERT_TRUE(attempt && *attempt);
  EXPECT_EQ((*attempt)->evaluation.verdict, Verdict::Rejected);
  EXPECT_THAT((*attempt)->evaluation.tuning, HasSubstr("the others were not tried"));
  EXPECT_EQ(evaluated_.size(), 1u);
}

TEST_F(TuningTest, WhenTheTimeIsUpWhatWasTriedDecides) {
  most_ = 2;
  ratios_ = {{plain(4, 1), 2}, {plain(8, 1), 3}};
  const auto attempt = tune(request_);
  ASSERT_TRUE(attempt && *attempt);
  EXPECT_EQ((*attempt)->candidate.text, plain(8, 1));
  most_ = 0;
  evaluated_.clear();
  const auto none = tune(request_);
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
}

TEST_F(TuningTest, WhatWasTriedBeforeIsNotEvaluatedAgain) {
  request_.tried = {{{0, 0}, measured(2)}, {{1, 0}, measured(5)}};
  const auto attempt = tune(request_);
  ASSERT_TRUE(attempt && *attempt);
  EXPECT_EQ((*attempt)->candidate.text, plain(8, 1));
  EXPECT_EQ(evaluated_, (std::vector<std::string>{plain(16, 1), plain(8, 2)}));
}

TEST_F(TuningTest, OthersAreEvaluatedAsTheyAreAndWrongDeclarationsRejected) {
  request_.candidate = makeCandidate("int x;", "file");
  const auto as = tune(request_);
  ASSERT_TRUE(as && *as);
  EXPECT_EQ((*as)->candidate.text, "int x;");
  EXPECT_EQ((*as)->evaluation.tuning, "");
  EXPECT_TRUE(recorded_.empty());
  request_.candidate = makeCandidate("AGENTIC_TUNE(k, 4);", "file");
  const auto wrong = tune(request_);
  ASSERT_TRUE(wrong && *wrong);
  EXPECT_EQ((*wrong)->evaluation.verdict, Verdict::Rejected);
  EXPECT_EQ((*wrong)->evaluation.stage, Stage::Check);
  EXPECT_THAT((*wrong)->evaluation.findings.at(0).message, HasSubstr("'k' has 1 values"));
}

TEST_F(TuningTest, TheJournalKeepsSettingsUntilTheAttemptIsThere) {
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "tuning");
  ASSERT_TRUE(scratch);
  const std::string runs = scratch->path().string();
  std::string directory;
  {
    auto journal = Journal::create(runs, {.kernel = "k"}, {});
    ASSERT_TRUE(journal);
    directory = journal->directory();
    ASSERT_TRUE(journal->proposed({.candidates = {request_.candidate}}, 0));
    ASSERT_TRUE(journal->triedSetting(request_.candidate.id, {{1, 0}, measured(2)}, 3));
  }
  auto record = readRun(directory);
  ASSERT_TRUE(record);
  ASSERT_EQ(record->tried.at(request_.candidate.id).size(), 1u);
  EXPECT_EQ(record->tried.at(request_.candidate.id)[0].setting, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(record->pending.size(), 1u);
  EXPECT_TRUE(record->attempts.empty());
  {
    auto journal = Journal::resume(runs, {.kernel = "k"});
    ASSERT_TRUE(journal) << journal.error().message;
    request_.tried = journal->record().tried.at(request_.candidate.id);
    const auto attempt = tune(request_);
    ASSERT_TRUE(attempt && *attempt);
    ASSERT_TRUE(journal->evaluated((*attempt)->candidate, (*attempt)->evaluation, true, 4));
    EXPECT_TRUE(journal->record().pending.empty());
  }
  record = readRun(directory);
  ASSERT_TRUE(record);
  EXPECT_TRUE(record->pending.empty());
  EXPECT_TRUE(record->tried.empty());
  ASSERT_EQ(record->attempts.size(), 1u);
  EXPECT_EQ(record->attempts[0].candidate.text, plain(8, 1));
  EXPECT_TRUE(isOf(record->attempts[0], request_.candidate.id));
}

} // namespace
} // namespace agentic
