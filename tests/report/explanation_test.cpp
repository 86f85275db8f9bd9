// Tests what `explain` says of each fate of a candidate, with the next step.
#include "tool/report/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ReportAttempt attemptOf(int iteration, const std::string &candidate, Verdict verdict, Stage stage) {
  ReportAttempt attempt{.iteration = iteration, .candidate = candidate};
  attempt.evaluation.verdict = verdict;
  attempt.evaluation.stage = stage;
  if (verdict != Verdict::Rejected) {
    Measurement &measurement = attempt.evaluation.measurement.emplace();
    measurement.speedup = {2, 1.9, 2.1, true};
    measurement.candidateNs = 500;
  }
  return attempt;
}

RunReport exampleRun() {
  RunReport run{.name = "gemm-1", .directory = "/tmp/a run", .kernel = "gemm"};
  run.attempts = {
      attemptOf(1, "1c0", Verdict::Rejected, Stage::Check), attemptOf(2, "2ab", Verdict::NotFaster, Stage::Benchmark),
      attemptOf(3, "2ac", Verdict::Accepted, Stage::Benchmark),
      attemptOf(4, "3dd", Verdict::Accepted, Stage::Benchmark), attemptOf(5, "", Verdict::Rejected, Stage::Check)};
  run.attempts[0].evaluation.findings = {{.check = "inline-assembly", .line = 7, .message = "assembly is banned"}};
  run.attempts[1].evaluation.sameCodeAs = "1c0";
  run.attempts[2].refusal.emplace();
  run.attempts[2].refusal->verdict = Verdict::Rejected;
  run.attempts[2].refusal->stage = Stage::Differential;
  run.attempts[2].refusal->detail = "held-out call 3 differs by 0.5";
  run.winner = "3dd";
  return run;
}

Explanation explained(const std::string &what) {
  const RunReport run = exampleRun();
  const auto named = attemptsNamed(run, what);
  EXPECT_THAT(named, SizeIs(1)) << what;
  return named.size() == 1 ? explain(run, *named.front(), "/tmp/a build") : Explanation();
}

TEST(Explanation, NamesAreIterationsOrBeginningsOfIds) {
  const RunReport run = exampleRun();
  EXPECT_THAT(attemptsNamed(run, "#4"), ElementsAre(&run.attempts[3]));
  EXPECT_THAT(attemptsNamed(run, "2"), ElementsAre(&run.attempts[1]));
  EXPECT_THAT(attemptsNamed(run, "2a"), SizeIs(2));
  EXPECT_THAT(attemptsNamed(run, "2ac"), ElementsAre(&run.attempts[2]));
  for (const char *none : {"", "#0", "#6", "-1", "#", "x", "99999999999999999999"})
    EXPECT_THAT(attemptsNamed(run, none), IsEmpty()) << none;
}

TEST(Explanation, OfARejectionHasTheFindingAndWhatToDo) {
  const Explanation check = explained("1c0");
  EXPECT_EQ(check.headline, "rejected by check");
  EXPECT_THAT(check.why, ElementsAre("line 7: assembly is banned [inline-assembly]"));
  ASSERT_THAT(check.next, SizeIs(2));
  EXPECT_THAT(check.next[0], HasSubstr("explain <check>"));
  EXPECT_EQ(check.next[1], "try it again: agentic-kernel evaluate --build-dir '/tmp/a build' --kernel gemm "
                           "'/tmp/a run/candidates/1c0.cpp'");
}

TEST(Explanation, OfWhatIsNotFasterHasTheFigures) {
  const Explanation slow = explained("2ab");
  EXPECT_EQ(slow.headline, "correct, but not faster than the best: 2.00x (estimate) over the baseline, 500 ns");
  EXPECT_THAT(slow.why, Contains("it compiles to the same code as 1c0"));
}

TEST(Explanation, SaysOnceThatCodeIsTheSame) {
  RunReport run = exampleRun();
  run.attempts[1].evaluation.detail = "same code as 1c0. assembly is banned";
  EXPECT_THAT(explain(run, run.attempts[1], "build").why, ElementsAre("same code as 1c0. assembly is banned"));
}

TEST(Explanation, OfWhatWasNotConfirmedSaysWhy) {
  const Explanation refused = explained("2ac");
  EXPECT_THAT(refused.headline, HasSubstr("accepted: 2.00x (estimate)"));
  EXPECT_THAT(refused.headline, HasSubstr("; refused by differential"));
  EXPECT_THAT(refused.why, Contains("held-out call 3 differs by 0.5"));
  EXPECT_THAT(refused.next[0], HasSubstr("contract"));
}

TEST(Explanation, OfTheWinnerSaysHowToWriteIt) {
  const Explanation winner = explained("#4");
  EXPECT_THAT(winner.headline, HasSubstr("the winner: 2.00x"));
  EXPECT_THAT(winner.next[0], HasSubstr("agentic-kernel apply --build-dir '/tmp/a build' --kernel gemm"));
}

TEST(Explanation, OfAShortenedWinnerIsItsAttempts) {
  RunReport run = exampleRun();
  run.winnerFrom = "3dd";
  run.winner = "9ee";
  run.shortening = "9 lines became 7";
  run.reviewed = "by some:model: 7 lines became 6";
  const auto named = attemptsNamed(run, "9e");
  ASSERT_THAT(named, ElementsAre(&run.attempts[3]));
  const Explanation winner = explain(run, *named.front(), "build");
  EXPECT_THAT(winner.headline, HasSubstr("the winner: 2.00x"));
  EXPECT_EQ(winner.candidate, "9ee");
  EXPECT_THAT(winner.why, Contains("shortened from 3dd: 9 lines became 7"));
  EXPECT_THAT(winner.why, Contains("reviewed by some:model: 7 lines became 6"));
  EXPECT_THAT(winner.next[0], HasSubstr("apply"));
  EXPECT_THAT(winner.next[0], HasSubstr("/candidates/9ee.cpp"));
}

TEST(Explanation, OfAReplyShowsIt) {
  const Explanation reply = explained("#5");
  EXPECT_EQ(reply.candidate, "iteration 5");
  EXPECT_THAT(reply.next, ElementsAre("agentic-kernel show 5 --build-dir '/tmp/a build' --kernel gemm"));
}

} // namespace
} // namespace agentic
