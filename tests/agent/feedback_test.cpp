// Tests the feedback after a try: sufficient, bounded, and nothing of the tests but their names.
#include "tests/agent/scripted_model.h"
#include "tool/agent/feedback.h"
#include "tool/build/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

Attempt attemptWith(Evaluation evaluation) {
  return {makeCandidate("void f();", "x call 1"), std::move(evaluation)};
}

TEST(Feedback, FindingsComeWithTheirLineAndTheAllowedAlternative) {
  Evaluation evaluation = rejectedBy(Stage::Check);
  evaluation.findings = {{"allocation", "c1.cpp", 12, 3, "'malloc' takes memory from the heap; use a local array"}};
  const std::string text = verdictText(attemptWith(evaluation), 4, "fast.cpp");
  EXPECT_THAT(text, HasSubstr("#4 (fast.cpp) breaks rules"));
  EXPECT_THAT(text, HasSubstr("line 12: 'malloc' takes memory from the heap; use a local array [allocation]"));
}

TEST(Feedback, AMeasuredOneHasItsIntervalAndEveryBenchmark) {
  Evaluation evaluation = measured(2.5, true);
  evaluation.measurement->benchmarks = {{"BM_Small", Comparison::Faster, {3, 2.9, 3.1, true}, 0, 0, {}},
                                        {"BM_Large", Comparison::Faster, {2, 1.9, 2.1, true}, 0, 0, {}}};
  const std::string text = verdictText(attemptWith(evaluation), 1, "a.cpp");
  EXPECT_THAT(text, HasSubstr("2.50x (estimate) as fast as the baseline: 600 us instead of 1.50 ms"));
  EXPECT_THAT(text, HasSubstr("BM_Large: 2.00x (estimate)"));
}

TEST(Feedback, SlowerThanTheBestSaysByHowMuch) {
  Evaluation evaluation = measured(0.8, false);
  evaluation.detail = "against the best so far: clearly slower";
  EXPECT_THAT(verdictText(attemptWith(evaluation), 1, ""), HasSubstr("0.80x (estimate) as fast as the best so far"));
}

TEST(Feedback, IsBoundedWhateverTheStagesSay) {
  Evaluation evaluation = rejectedBy(Stage::Compile, std::string(100000, 'e') + "\xe2\x80\x94");
  for (int i = 0; i < 1000; ++i)
    evaluation.findings.push_back({"calls", "x", 1, 1, std::string(10000, 'm')});
  const std::string text = verdictText(attemptWith(evaluation), 1, std::string(10000, 'n'));
  EXPECT_LE(text.size(), kFeedbackBytes);
  for (std::size_t most = 3; most < 200; most += 7)
    EXPECT_LE(verdictText(attemptWith(evaluation), 1, "\xc3\xa4\xc3\xb6\xc3\xbc", most).size(), most);
}

TEST(Feedback, HoldsNoControlCharacters) {
  Evaluation evaluation = rejectedBy(Stage::Compile, "error: \x1b[31mred\x1b[0m \x07 bell\r\n");
  evaluation.findings = {{"calls", "x", 1, 1, "two\nlines"}};
  const std::string text = verdictText(attemptWith(evaluation), 1, "a\nb.cpp");
  for (const char c : text)
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << int(c);
  EXPECT_THAT(text, HasSubstr("(a b.cpp)"));
  EXPECT_THAT(text, HasSubstr("two lines"));
}

// A candidate can make a compiler print any text for any place.
TEST(Feedback, HostileDiagnosticsShowNoLineOfAnotherFile) {
  const std::string unit = "/build/demo.candidate.cpp";
  const std::string output = unit +
                             ":3:1: error: own\n    3 | own line;\n      | ^\n"
                             "/home/me/project/demo_test.cpp:7:3: error: theirs\n    7 | EXPECT_EQ(f(x), 42);\n"
                             "/home/me/project/demo.candidate.cpp:8:3: note: of that name\n    8 | secret();\n" +
                             unit + ":9:1: error: glue\n    9 | not the candidate's;\n";
  const PositionMap map = [](unsigned line, unsigned column) {
    return line == 9 ? LineColumn{0, 0} : LineColumn{line, column};
  };
  Evaluation evaluation = rejectedBy(Stage::Compile, filterDiagnostics(output, unit, "c1.cpp", map));
  const std::string text = verdictText(attemptWith(evaluation), 1, "a.cpp");
  EXPECT_THAT(text, HasSubstr("own line;"));
  for (const char *hidden : {"EXPECT_EQ", "42", "secret()", "not the candidate's", "/home/me", "/build/"})
    EXPECT_THAT(text, Not(HasSubstr(hidden)));
}

TEST(Feedback, DiagnosticsNameTheModelsOwnFile) {
  const Candidate candidate = makeCandidate("void f();", "x call 1");
  const Attempt attempt{candidate, rejectedBy(Stage::Compile, candidate.id + ".cpp:1:2: error: no")};
  EXPECT_THAT(verdictText(attempt, 1, "mine.cpp"), HasSubstr("mine.cpp:1:2: error: no"));
}

TEST(Feedback, TheBudgetNamesItsLimitsOnly) {
  EXPECT_EQ(budgetText({}), "");
  EXPECT_EQ(budgetText({.tries = 1}), "The budget that is left: 1 try.");
  EXPECT_EQ(budgetText({.tries = 12, .seconds = 240, .usd = 1.204}),
            "The budget that is left: 12 tries, 4 minutes, $1.20.");
}

TEST(Leaderboard, RanksByTheBaselineAndByTheBestOfThatTime) {
  RunState state = freshState();
  for (const auto &[text, evaluation] : {std::pair("a", measured(2, true)), std::pair("b", rejectedBy(Stage::Test)),
                                         std::pair("c", measured(1.5, true)), std::pair("d", measured(0.9, false))})
    state.attempts.push_back({makeCandidate(text, text), evaluation});
  state.attempts[2].evaluation.measurement->speedup.ratio = 3;
  state.incumbent = 2;
  const std::vector<RankedAttempt> all = rankedAttempts(state);
  EXPECT_TRUE(all[0].led && all[2].led && !all[3].led);
  EXPECT_DOUBLE_EQ(all[3].ratio, 2.7); // 0.9 of the leader's ratio at that time
  const std::string table = leaderboard(state, {{state.attempts[2].candidate.id, "tables"}}, 2);
  EXPECT_THAT(table, HasSubstr("- #3 3.00x"));
  EXPECT_THAT(table, HasSubstr("the best so far: tables"));
  EXPECT_THAT(table, HasSubstr("- #4 about 2.70x"));
  EXPECT_THAT(table, HasSubstr("and 1 slower ones"));
  EXPECT_THAT(table, HasSubstr("#2 rejected by test"));
  EXPECT_THAT(rankText(state, 3), HasSubstr("number 2 of 3"));
  EXPECT_THAT(rankText(state, 1), HasSubstr("The best so far is #1"));
}

} // namespace
} // namespace agentic
