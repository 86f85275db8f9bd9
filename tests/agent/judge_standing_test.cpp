#include "tool/agent/judge_standing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

/// What judges said, beside what came of it.
struct Judged {
  /// Adds a candidate: what was said of it, and whether it was then rejected.
  void add(const std::string &objection, bool isRejected, Stage stage = Stage::Test, double seconds = 0) {
    const std::string id = "c" + std::to_string(judged.size());
    judged.push_back({.candidate = id, .objection = objection, .why = "why", .seconds = seconds});
    Attempt attempt;
    attempt.candidate.id = id;
    attempt.evaluation.verdict = isRejected ? Verdict::Rejected : Verdict::NotFaster;
    attempt.evaluation.stage = isRejected ? stage : Stage::Benchmark;
    attempt.evaluation.seconds = 10;
    attempts.push_back(std::move(attempt));
  }
  JudgeStanding standing() const { return judgeStanding(judged, attempts); }
  std::vector<Opinion> judged;
  std::vector<Attempt> attempts;
};

TEST(JudgeStanding, IsWatchedUntilFourObjectionsWereChecked) {
  Judged run;
  for (int i = 0; i < 3; ++i)
    run.add("wrong", true);
  EXPECT_EQ(run.standing().mode, JudgeMode::Watched);
  EXPECT_FALSE(dropsNext(run.standing()));
  run.add("wrong", true, Stage::Compile);
  EXPECT_EQ(run.standing().mode, JudgeMode::Dropping);
  EXPECT_EQ(run.standing().right, 4);
  EXPECT_TRUE(dropsNext(run.standing()));
}

TEST(JudgeStanding, IsOffIfItIsOftenNotRight) {
  Judged run;
  for (const bool isRight : {true, true, false, true})
    run.add("wrong", isRight);
  EXPECT_EQ(run.standing().mode, JudgeMode::Dropping) << "three of four";
  run.add("same", false);
  const JudgeStanding standing = run.standing();
  EXPECT_EQ(standing.mode, JudgeMode::Off);
  EXPECT_EQ(standing.why, "only 3 of 5 of its objections were right");
  EXPECT_FALSE(dropsNext(standing));
  EXPECT_THAT(judgeText(standing), HasSubstr("5 read, 5 objections (0 dropped, 3 of 5 that were tried were right)"));
}

TEST(JudgeStanding, TheSameObjectCodeIsAnObjectionThatWasRight) {
  Judged run;
  run.add("same", false);
  EXPECT_EQ(run.standing().right, 0);
  run.attempts.front().evaluation.sameCodeAs = "c9";
  EXPECT_EQ(run.standing().right, 1);
}

TEST(JudgeStanding, IsOffIfItObjectsSeldom) {
  Judged run;
  for (int i = 0; i < 11; ++i)
    run.add("", i < 2);
  EXPECT_EQ(run.standing().mode, JudgeMode::Watched);
  EXPECT_EQ(run.standing().missed, 2);
  run.add("", true, Stage::Compile);
  EXPECT_EQ(run.standing().missed, 2) << "a compiler finds that at no cost";
  EXPECT_EQ(run.standing().mode, JudgeMode::Off);
  EXPECT_EQ(run.standing().why, "it objected to 0 of 12 candidates");
}

TEST(JudgeStanding, IsOffIfItsCallsTakeLongerThanWhatTheySave) {
  Judged run;
  for (int i = 0; i < 12; ++i)
    run.add(i < 4 ? "wrong" : "", i < 4, Stage::Test, 3);
  EXPECT_EQ(run.standing().mode, JudgeMode::Dropping) << "36 s of 40 s";
  for (Opinion &opinion : run.judged)
    opinion.seconds = 4;
  EXPECT_EQ(run.standing().mode, JudgeMode::Off);
  EXPECT_THAT(run.standing().why, HasSubstr("its calls took 48 s"));
}

TEST(JudgeStanding, EveryFourthObjectionIsTriedAllTheSame) {
  Judged run;
  for (int i = 0; i < 4; ++i)
    run.add("wrong", true);
  std::vector<bool> drops;
  for (int i = 0; i < 8; ++i) {
    drops.push_back(dropsNext(run.standing()));
    run.judged.push_back({.candidate = "d" + std::to_string(i), .objection = "wrong", .isDropped = drops.back()});
  }
  EXPECT_EQ(drops, (std::vector<bool>{true, true, true, false, true, true, true, false}));
  EXPECT_EQ(run.standing().dropped, 6);
}

TEST(JudgeStanding, ACandidateIsCountedOnce) {
  Judged run;
  run.add("wrong", true);
  run.judged.push_back(run.judged.front());
  EXPECT_EQ(run.standing().judged, 1);
}

} // namespace
} // namespace agentic
