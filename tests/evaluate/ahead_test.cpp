// Candidates that are judged before their turn, beside the measurement of another: the real pipeline.
#include "tests/evaluate/project_fixture.h"
#include "tool/base/cpus.h"
#include "tool/base/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace agentic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Candidate kernel(const std::string &body) {
  return makeCandidate("void running(const unsigned *x, unsigned *y, std::size_t n) {\n" + body + "\n}\n",
                       "file: c.cpp");
}
Candidate linear(const std::string &comment = "") {
  return kernel("  unsigned sum = 0;\n  for (std::size_t i = 0; i < n; ++i)\n    y[i] = sum += x[i];" + comment);
}
const Candidate kWrong = kernel("  unsigned sum = 1;\n  for (std::size_t i = 0; i < n; ++i)\n    y[i] = sum += x[i];");
const Candidate kForbidden = kernel("  static unsigned sum;\n  y[0] = sum += x[0] + unsigned(n);");
const Candidate kNever = kernel("  while (x[0] == y[0] || n < 1000000) y[0] = x[0];");

class AheadOfEvaluationTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() { project_ = new Project("project"); }
  static void TearDownTestSuite() { delete project_; }

  void SetUp() override {
    if (usableCpus().size() < 2)
      GTEST_SKIP() << "there is one CPU: nothing is judged beside its measurements";
  }
  void open(bool measuresAlone) {
    EvaluatorOptions options;
    options.buildDir = project_->build();
    options.kernel = "running_sums";
    options.workers = 4;
    options.cancelled = &stop_;
    options.measuresAlone = measuresAlone;
    options.stage = [this](Stage stage) { stages_.push_back(stage); };
    auto opened = Evaluator::open(options);
    ASSERT_TRUE(opened) << opened.error().message;
    evaluator_ = std::move(*opened);
  }
  /// Waits until a worker has begun with a candidate: it has a folder then.
  void awaitBegin(const Candidate &candidate) const {
    const std::string name = sha256(candidate.text).substr(0, 16);
    const auto isThere = [&] {
      std::error_code error;
      for (const auto &entry : fs::recursive_directory_iterator(project_->build() + "/_agentic/work", error))
        if (entry.path().filename() == name && entry.path().parent_path().filename().string().starts_with("ahead-"))
          return true;
      return false;
    };
    for (int waited = 0; !isThere(); ++waited) {
      ASSERT_LT(waited, 60'000) << "no worker began with it";
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  Evaluation evaluate(const Candidate &candidate) {
    stages_.clear();
    auto evaluation = evaluator_->evaluate(candidate);
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return evaluation.value_or(Evaluation());
  }
  void expectTheSameVerdicts() {
    evaluator_->ahead({kWrong, kForbidden, linear(), linear(" // again")}, nullptr);
    awaitBegin(linear(" // again"));
    struct Row {
      Candidate candidate;
      Verdict verdict;
      Stage stage;
      bool isTaken = true; ///< what a worker found counts
    };
    for (const auto &[candidate, verdict, stage, isTaken] :
         {Row{kWrong, Verdict::Rejected, Stage::Test, false}, Row{kForbidden, Verdict::Rejected, Stage::Check},
          Row{linear(), Verdict::Accepted, Stage::Benchmark},
          Row{linear(" // again"), Verdict::Accepted, Stage::Benchmark}}) {
      const Evaluation evaluation = evaluate(candidate);
      EXPECT_EQ(evaluation.verdict, verdict) << candidate.text << evaluation.detail;
      EXPECT_STREQ(stageName(evaluation.stage), stageName(stage)) << candidate.text;
      EXPECT_GT(evaluation.seconds, 0);
      EXPECT_EQ(std::ranges::count(stages_, Stage::Check), isTaken ? 0 : 1) << candidate.text;
      EXPECT_EQ(std::ranges::count(stages_, Stage::Test), isTaken ? 0 : 1) << candidate.text;
      if (stage == Stage::Benchmark) {
        EXPECT_THAT(evaluation.times, ::testing::Contains(::testing::Field(&StageTime::name, "test")));
      }
    }
    EXPECT_EQ(evaluate(linear(" // again")).sameCodeAs, linear().id) << "as if it had been judged in its turn";
  }

  static Project *project_;
  std::vector<Stage> stages_;
  std::atomic<bool> stop_ = false;
  std::unique_ptr<Evaluator> evaluator_;
};
Project *AheadOfEvaluationTest::project_ = nullptr;

TEST_F(AheadOfEvaluationTest, VerdictsAreTheSame) {
  open(false);
  expectTheSameVerdicts();
  auto confirmed = evaluator_->confirm(linear(), 1);
  ASSERT_TRUE(confirmed) << confirmed.error().message;
  EXPECT_EQ(confirmed->verdict, Verdict::Accepted) << confirmed->detail;
}

TEST_F(AheadOfEvaluationTest, VerdictsAreTheSameWhereMeasurementsWantToBeAlone) {
  open(true);
  expectTheSameVerdicts();
}

TEST_F(AheadOfEvaluationTest, WhatIsInWorkEndsWithTheEvaluator) {
  open(false);
  evaluator_->ahead({kNever, kWrong}, nullptr);
  awaitBegin(kNever);
  evaluator_.reset();
  for (const auto &entry : fs::directory_iterator(project_->build() + "/_agentic/work"))
    EXPECT_FALSE(entry.path().filename().string().starts_with("running_sums-")) << "its folder is left";
}

TEST_F(AheadOfEvaluationTest, AnInterruptionDoesNotWaitForAWorker) {
  open(false);
  evaluator_->ahead({kNever}, nullptr);
  awaitBegin(kNever);
  stop_ = true;
  const auto evaluation = evaluator_->evaluate(kNever); // whose tests take longer than the worker's patience
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().kind, ErrorKind::Interrupted);
}

TEST_F(AheadOfEvaluationTest, NothingIsJudgedAheadAfterItsEnd) {
  open(false);
  ASSERT_NO_FATAL_FAILURE();
  evaluator_->ahead({kNever}, nullptr);
  awaitBegin(kNever);
  evaluator_->endAhead();
  evaluator_->ahead({linear()}, nullptr);
  EXPECT_EQ(evaluate(kForbidden).verdict, Verdict::Rejected);
  EXPECT_EQ(evaluate(linear()).verdict, Verdict::Accepted);
  EXPECT_EQ(std::ranges::count(stages_, Stage::Test), 1) << "in its turn";
}

} // namespace
} // namespace agentic
