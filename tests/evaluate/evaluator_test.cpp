// Tests the whole pipeline on a small project: real CMake, compiler, tests and benchmark.
#include "tests/evaluate/project_fixture.h"
#include "tests/evaluate/running_sums.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/source/candidate/candidate_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace agentic {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

class EvaluatorTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    project_ = new Project("project");
    auto opened = project_->open("running_sums");
    if (opened)
      evaluator_ = opened->release();
    else
      error_ = opened.error().message;
  }
  static void TearDownTestSuite() {
    delete evaluator_;
    delete project_;
  }
  void SetUp() override { ASSERT_TRUE(evaluator_) << error_; }

  static Evaluation evaluate(const std::string &text, const Candidate *incumbent = nullptr) {
    Result<Evaluation> evaluation = evaluator_->evaluate(makeCandidate(text, "file: candidate.cpp"), incumbent);
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return evaluation.value_or(Evaluation());
  }
  static void expectRejected(const std::string &text, Stage stage) {
    Evaluation evaluation = evaluate(text);
    EXPECT_EQ(evaluation.verdict, Verdict::Rejected) << text;
    EXPECT_STREQ(stageName(evaluation.stage), stageName(stage)) << text << evaluation.detail;
    EXPECT_TRUE(!evaluation.findings.empty() || !evaluation.detail.empty());
  }

  static Project *project_;
  static Evaluator *evaluator_;
  static std::string error_;
};
Project *EvaluatorTest::project_ = nullptr;
Evaluator *EvaluatorTest::evaluator_ = nullptr;
std::string EvaluatorTest::error_;

TEST_F(EvaluatorTest, LearnsTheBaselineOnceForAllProcesses) {
  auto isTrap = Field(&StageTime::name, "trap-controls");
  EXPECT_THAT(evaluator_->preparationTimes(), Contains(isTrap));
  auto again = project_->open("running_sums");
  ASSERT_TRUE(again) << again.error().message;
  std::vector<std::string> steps;
  for (const StageTime &time : (*again)->preparationTimes())
    steps.push_back(time.name);
  // No step compiles, runs the project's programs or measures; ninja only checks the tree.
  EXPECT_THAT(steps, ElementsAre("manifest", "extract", "shadow", "expectation"));
  EXPECT_EQ((*again)->calibration().testCount, 3);
  EXPECT_EQ((*again)->calibration().baselineNs, evaluator_->calibration().baselineNs);
  EXPECT_EQ((*again)->calibration().observed, (ObservedValues{{"n", {4000}}}));
  EXPECT_THAT((*again)->costEstimate(), HasSubstr("3 tests"));
}

TEST_F(EvaluatorTest, TriesFaultsInTheTimeThereIsAndContinuesLater) {
  const auto known = evaluator_->adequacy({.onlyKnown = true});
  ASSERT_TRUE(known) << known.error().message;
  EXPECT_EQ(known->total(), 0);
  const auto none = evaluator_->adequacy({.secondsLimit = 1e-3});
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(none->total(), 0);
  EXPECT_GE(none->notTried, 10);
  int tried = 0;
  const auto some = evaluator_->adequacy({.mostMutants = 5, .progress = [&](int count, int) { tried = count; }});
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_EQ(some->total(), 5);
  EXPECT_EQ(some->notTried, 0);
  EXPECT_EQ(tried, 5);
  const auto all = evaluator_->adequacy({});
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_GT(all->killed(), 10);
  EXPECT_EQ(all->mutants.front().change, some->mutants.front().change);
  const auto again = evaluator_->adequacy({.onlyKnown = true});
  EXPECT_EQ(again->total(), all->total());
  auto later = project_->open("running_sums");
  ASSERT_TRUE(later) << later.error().message;
  tried = 0;
  const auto unchanged = (*later)->adequacy({.progress = [&](int, int) { ++tried; }});
  ASSERT_TRUE(unchanged) << unchanged.error().message;
  EXPECT_EQ(unchanged->total(), all->total());
  EXPECT_EQ(tried, 0);
}

TEST_F(EvaluatorTest, AcceptsAndConfirmsWhatIsFaster) {
  Candidate linear = makeCandidate(kLinear, "file: linear.cpp");
  Result<Evaluation> evaluation = evaluator_->evaluate(linear);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->verdict, Verdict::Accepted) << evaluation->detail;
  EXPECT_EQ(evaluation->stage, Stage::Benchmark);
  ASSERT_TRUE(evaluation->measurement);
  for (const char *stage : {"check", "compile", "audit", "test", "benchmark"})
    EXPECT_THAT(evaluation->times, Contains(Field(&StageTime::name, stage)));
  Result<Evaluation> confirmed = evaluator_->confirm(linear, 1);
  ASSERT_TRUE(confirmed) << confirmed.error().message;
  EXPECT_EQ(confirmed->verdict, Verdict::Accepted) << confirmed->detail;
  EXPECT_EQ(confirmed->stage, Stage::Confirm);
  EXPECT_GE(confirmed->measurement->benchmarks[0].pairs.size(), 12u);
  EXPECT_TRUE(confirmed->measurement->speedup.isConfirmed);
}

TEST_F(EvaluatorTest, WhatShipsIsReplayedUnlessItIsTheCodeThatWas) {
  int replayed = 0;
  EvaluatorOptions options;
  options.buildDir = project_->build();
  options.kernel = "running_sums";
  options.stage = [&](Stage stage) { replayed += stage == Stage::Differential; };
  auto evaluator = Evaluator::open(options);
  ASSERT_TRUE(evaluator) << evaluator.error().message;
  Result<Evaluation> examined = (*evaluator)->examine(makeCandidate(kLinear, "file: linear.cpp"));
  ASSERT_TRUE(examined) << examined.error().message;
  ASSERT_EQ(examined->verdict, Verdict::Accepted) << examined->detail;
  EXPECT_GT(replayed, 0);

  const std::string hook = project_->build() + "/_agentic/shadow/running_sums/hook";
  const auto command = sourceCommand(loadManifest(hook, "running_sums", "").value(), hook);
  ASSERT_TRUE(command) << command.error().message;
  const auto ship = [&](const std::string &text) {
    replayed = 0;
    const CandidateUnit unit = buildCandidateUnit(
        {(*evaluator)->spec(), (*evaluator)->level(), (*evaluator)->compiler().family, "shipped"}, text);
    const std::string file = project_->source() + "/shipped.cpp";
    EXPECT_TRUE(writeFileAtomic(file, unit.text));
    return (*evaluator)->replayShipped(file, *command);
  };
  EXPECT_EQ(ship(kLinear).value(), "");
  EXPECT_EQ(replayed, 0);
  EXPECT_NE(ship(replaceAll(kLinear, "sum += x[i]", "sum += x[i] + (i == 7)")).value(), "");
  EXPECT_EQ(replayed, 1);
  EXPECT_EQ(ship(replaceAll(kLinear, "y[i] = sum += x[i]",
                            "y[n - 1 - i] = 0;\n  for (std::size_t i = 0; i < n; ++i)\n"
                            "    y[i] = sum += x[i]"))
                .value(),
            "");
  EXPECT_EQ(replayed, 1) << "other code, even if it computes the same";
}

TEST_F(EvaluatorTest, ComparesWithTheBestSoFarFirst) {
  Candidate linear = makeCandidate(kLinear, "file: linear.cpp");
  Evaluation evaluation = evaluate(kernel("  for (std::size_t i = n; i-- > 0;) {\n    unsigned sum = 0;\n"
                                          "    for (std::size_t j = 0; j <= i; ++j)\n      sum += x[j];\n"
                                          "    y[i] = sum;\n  }"),
                                   &linear);
  EXPECT_EQ(evaluation.verdict, Verdict::NotFaster);
  ASSERT_TRUE(evaluation.againstIncumbent);
  EXPECT_FALSE(evaluation.measurement);
  EXPECT_THAT(evaluation.detail, HasSubstr("best so far"));
}

TEST_F(EvaluatorTest, ADuelMeasuresCodeThatIsKnown) {
  const Candidate linear = makeCandidate(kLinear, "file: linear.cpp"),
                  twin = makeCandidate("// the same code\n" + kLinear, "file: twin.cpp");
  const Evaluation known = evaluate(kLinear), same = evaluate(twin.text, &linear);
  ASSERT_EQ(same.sameCodeAs, known.candidate);
  const Result<Evaluation> duel = evaluator_->duel(twin, linear);
  ASSERT_TRUE(duel) << duel.error().message;
  EXPECT_TRUE(duel->againstIncumbent) << duel->detail;
  EXPECT_EQ(duel->sameCodeAs, "");
}

TEST_F(EvaluatorTest, AWrongOneIsCalledWrongWhateverItsTime) {
  EvaluatorOptions options;
  options.buildDir = project_->build();
  options.kernel = "running_sums";
  options.judgesSlow = true;
  auto evaluator = Evaluator::open(options);
  ASSERT_TRUE(evaluator) << evaluator.error().message;
  const std::string slow = "  for (std::size_t i = n; i-- > 0;) {\n    unsigned sum = 0;\n"
                           "    for (std::size_t j = 0; j <= i; ++j)\n      sum += x[j];\n    y[i] = sum;\n  }";
  const Result<Evaluation> honest = (*evaluator)->evaluate(makeCandidate(kernel(slow), ""));
  ASSERT_TRUE(honest) << honest.error().message;
  EXPECT_NE(honest->verdict, Verdict::Rejected) << honest->detail;
  for (const char *step : {"sanitize-calls", "audit-of-calls"})
    EXPECT_THAT(honest->times, Contains(Field(&StageTime::name, step)));

  // Other code than the honest one's, which would get its verdict.
  const std::string downwards =
      replaceAll(slow, "for (std::size_t j = 0; j <= i; ++j)", "for (std::size_t j = i + 1; j-- > 0;)");
  const std::string overflows = "  int top = 2147483647;\n  top += n > 3;\n  if (top == 5)\n    return;\n";
  const Result<Evaluation> wrong = (*evaluator)->evaluate(makeCandidate(kernel(overflows + downwards), ""));
  ASSERT_TRUE(wrong) << wrong.error().message;
  EXPECT_EQ(wrong->verdict, Verdict::Rejected) << wrong->detail;
  EXPECT_EQ(wrong->stage, Stage::Sanitize) << wrong->detail;
}

TEST_F(EvaluatorTest, SameCodeEndsEarly) {
  Evaluation baseline = evaluate(kernel("  // a comment\n  for (std::size_t i = 0; i < n; ++i) {\n    unsigned s = 0;\n"
                                        "    for (std::size_t j = 0; j <= i; ++j)\n      s += x[j];\n"
                                        "    y[i] = s;\n  }"));
  EXPECT_EQ(baseline.sameCodeAs, "baseline");
  EXPECT_EQ(baseline.verdict, Verdict::NotFaster);
  Evaluation first = evaluate(kLinear), second = evaluate("// again\n" + kLinear);
  EXPECT_EQ(second.sameCodeAs, first.candidate);
  EXPECT_EQ(second.verdict, first.verdict);
  EXPECT_THAT(second.detail, HasSubstr("same code as " + first.candidate));
}

TEST_F(EvaluatorTest, FindingsStandAtTheCandidatesOwnLines) {
  Evaluation evaluation = evaluate("// one\n// two\n" + kernel("  static unsigned calls = 0;\n  y[0] = ++calls;"));
  EXPECT_EQ(evaluation.verdict, Verdict::Rejected);
  EXPECT_EQ(evaluation.stage, Stage::Check);
  ASSERT_FALSE(evaluation.findings.empty());
  EXPECT_EQ(evaluation.findings[0].file, "candidate.cpp");
  EXPECT_EQ(evaluation.findings[0].line, 4u);
}

TEST_F(EvaluatorTest, DiagnosticsStandAtTheCandidatesOwnLines) {
  Evaluation evaluation = evaluate("// one\n" + kernel("  y[0] = nowhere;"));
  EXPECT_EQ(evaluation.verdict, Verdict::Rejected);
  EXPECT_EQ(evaluation.stage, Stage::Compile);
  EXPECT_THAT(evaluation.detail, HasSubstr("candidate.cpp:3:"));
}

TEST_F(EvaluatorTest, WrongResultsAreRejectedByTheTests) {
  expectRejected(kernel("  for (std::size_t i = 0; i < n; ++i)\n    y[i] = 0;"), Stage::Test);
  expectRejected(
      kernel("  unsigned sum = 0;\n  for (std::size_t i = 0; i < n && i < 500; ++i)\n    y[i] = sum += x[i];"),
      Stage::Test);
  expectRejected(kernel("  y[n + (std::size_t(1) << 40)] = x[0];"), Stage::Test);
}

TEST_F(EvaluatorTest, CheatsAreRejected) {
  const std::string honest = "  unsigned sum = 0;\n  for (std::size_t i = 0; i < n; ++i)\n    y[i] = sum += x[i];";
  for (const std::string &cheat :
       {kernel(honest, "#include <time.h>\nextern \"C\" int clock_gettime(clockid_t, timespec *t) { t->tv_sec = 0; "
                       "return 0; }\n"),
        kernel("  _exit(0);", "#include <unistd.h>\n"),
        kernel(honest, "#include <unistd.h>\n__attribute__((constructor)) static void early() { _exit(0); }\n"),
        kernel(honest, "static const unsigned *last;\nstatic bool seen(const unsigned *p) { bool same = p == last; "
                       "last = p; return same; }\n"),
        kernel("  if (n) std::puts(\"[  PASSED  ] 3 tests.\");", "#include <cstdio>\n"),
        kernel("  thread_local unsigned t = 0;\n  y[0] = t++;"), kernel(honest, "asm(\".globl clock_gettime\");\n"),
        kernel(honest, "#include \"sums_test.cpp\"\n")}) {
    Evaluation evaluation = evaluate(cheat);
    EXPECT_EQ(evaluation.verdict, Verdict::Rejected) << cheat;
    EXPECT_THAT(evaluation.stage, AnyOf(Stage::Check, Stage::Audit, Stage::Compile)) << cheat;
  }
}

TEST_F(EvaluatorTest, AHugeCandidateIsRefusedUnread) {
  expectRejected(kLinear + std::string(300 << 10, ' '), Stage::Check);
}

/// Short for the checks, endless for an optimizer that inlines it.
std::string endlessToCompile() {
  std::string text = "static inline __attribute__((always_inline)) unsigned f0(unsigned v) { return v * v + 1; }\n";
  for (int i = 1; i <= 40; ++i)
    text += "static inline __attribute__((always_inline)) unsigned f" + std::to_string(i) + "(unsigned v) { return f" +
            std::to_string(i - 1) + "(v) + f" + std::to_string(i - 1) + "(v ^ " + std::to_string(i) + "); }\n";
  return kernel("  for (std::size_t i = 0; i < n; ++i)\n    y[i] = f40(x[i]);", text);
}

TEST_F(EvaluatorTest, ACompileThatRunsOutOfOurTimeIsNotRejected) {
  const Result<Evaluation> evaluation = evaluator_->evaluate(makeCandidate(endlessToCompile(), ""), nullptr, 1);
  ASSERT_FALSE(evaluation) << stageName(evaluation->stage) << ": " << evaluation->detail;
  EXPECT_EQ(evaluation.error().kind, ErrorKind::Interrupted);
}

TEST_F(EvaluatorTest, ATimeLimitEndsTheEvaluationWithoutAVerdict) {
  const Result<Evaluation> evaluation = evaluator_->evaluate(
      makeCandidate(kernel("  unsigned sum = 1;\n  for (std::size_t i = 0; i < n; ++i)\n    y[i] = (sum += x[i]) - 1;"),
                    ""),
      nullptr, 1e-6);
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().kind, ErrorKind::Interrupted);
}

} // namespace
} // namespace agentic
