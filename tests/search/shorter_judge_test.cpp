#include "tool/search/shorter_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace agentic {
namespace {

using testing::ElementsAre;

class ShorterJudgeTest : public testing::Test {
protected:
  ShorterJudgeTest() {
    request_.winner = makeCandidate("winner", "");
    request_.judge = [this](const Candidate &candidate, const ShorterRequest &how,
                            bool) -> Result<std::optional<Evaluation>> {
      asked_.push_back(candidate.text + (how.measures ? " measured" : ""));
      Evaluation evaluation;
      evaluation.objectHash = code_.at(candidate.text);
      const bool isSame = how.sameCode.empty() || how.sameCode.contains(evaluation.objectHash);
      evaluation.verdict = isSame ? Verdict::Accepted : Verdict::NotFaster;
      return evaluation;
    };
    request_.record = [this](const TriedShorter &tried) {
      recorded_.push_back(tried);
      return Result<void>();
    };
  }

  /// Judges the winner, then the texts, each first without and then with a measurement.
  void judge(const std::vector<std::string> &texts) {
    ShorterJudge judge(request_);
    EXPECT_TRUE(judge.judged(request_.winner, false));
    for (const std::string &text : texts)
      for (const bool measures : {false, true}) {
        const auto tried = judge.judged(makeCandidate(text, ""), measures);
        ASSERT_TRUE(tried && *tried);
        EXPECT_FALSE((*tried)->isKept);
        EXPECT_EQ((*tried)->isMeasured, measures);
        EXPECT_EQ((*tried)->objectHash, code_.at(text));
      }
  }

  const std::map<std::string, std::string> code_ = {
      {"winner", "fast"}, {"one", "slow"}, {"other", "slow"}, {"third", "slower"}};
  ShorteningRequest request_;
  std::vector<std::string> asked_;
  std::vector<TriedShorter> recorded_;
};

TEST_F(ShorterJudgeTest, CodeThatWasMeasuredAndRefusedIsNotMeasuredInAnotherText) {
  judge({"one", "other", "third"});
  EXPECT_THAT(asked_, ElementsAre("winner", "one", "one measured", "other", "third", "third measured"));
}

TEST_F(ShorterJudgeTest, AProcessThatGoesOnKnowsIt) {
  judge({"one"});
  request_.tried = recorded_;
  asked_.clear();
  judge({"one", "other"});
  EXPECT_THAT(asked_, ElementsAre("other"));
}

TEST_F(ShorterJudgeTest, AReviewerHearsAboutEachText) {
  request_.isReview = true;
  judge({"one", "other"});
  EXPECT_THAT(asked_, ElementsAre("winner", "one", "one measured", "other", "other measured"));
  EXPECT_TRUE(recorded_.back().verdict);
}

} // namespace
} // namespace agentic
