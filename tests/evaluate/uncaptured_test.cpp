// Kernels whose calls cannot be captured, through the whole pipeline: their project's own tests see next to nothing, so
// only the comparison in the tests' own process can reject a wrong candidate.
#include "tests/evaluate/project_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

class UncapturedTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() { project_ = new Project("images"); }
  static void TearDownTestSuite() { delete project_; }

  void open(const std::string &kernel) {
    auto opened = project_->open(kernel);
    ASSERT_TRUE(opened) << opened.error().message;
    evaluator_ = std::move(*opened);
  }
  Evaluation evaluate(const std::string &text) {
    Result<Evaluation> evaluation = evaluator_->evaluate(makeCandidate(text, "file: candidate.cpp"));
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return evaluation.value_or(Evaluation());
  }
  void expectRejected(const std::string &text, const std::string &words) {
    const Evaluation evaluation = evaluate(text);
    EXPECT_EQ(evaluation.verdict, Verdict::Rejected);
    EXPECT_STREQ(stageName(evaluation.stage), "differential") << evaluation.detail;
    EXPECT_THAT(evaluation.detail, AllOf(HasSubstr("compared in the tests' own process (call 1, "), HasSubstr(words)));
  }

  std::unique_ptr<Evaluator> evaluator_;
  static Project *project_;
};
Project *UncapturedTest::project_ = nullptr;

TEST_F(UncapturedTest, WhatAnObjectPointsTo) {
  open("running");
  const std::string honest = "void running(const Image &in, Image &out) {\n  for (int y = 0; y < in.height; ++y) {\n"
                             "    float sum = 0;\n    for (int x = 0; x < in.width; ++x)\n"
                             "      out.data[y * in.width + x] = sum += in.data[y * in.width + x];\n  }\n}\n";
  Evaluation good = evaluate(honest);
  EXPECT_EQ(good.verdict, Verdict::Accepted) << good.detail;
  std::string wrong = honest;
  wrong.replace(wrong.find("y < in.height"), 13, "y < 1");
  expectRejected(wrong, "memory that 'out' leads to: ");
  std::string crash = honest;
  crash.replace(crash.find("y < in.height"), 13, "y < in.height + (in.width < 41 ? 1 << 28 : 0)");
  const Evaluation crashed = evaluate(crash);
  EXPECT_EQ(crashed.stage, Stage::Test) << "that the tests see themselves";

  const Result<Evaluation> examined = evaluator_->examine(makeCandidate(honest, "file: candidate.cpp"));
  ASSERT_TRUE(examined) << examined.error().message;
  EXPECT_THAT(examined->review, Contains(HasSubstr("compared in-process, in forks of the tests and benchmarks (")));
}

TEST_F(UncapturedTest, WhatAListHolds) {
  open("total");
  const std::string honest = "float total(const Node *list) {\n  int count = 0;\n"
                             "  for (const Node *node = list; node; node = node->next)\n    ++count;\n"
                             "  float sum = 0;\n  for (const Node *node = list; node; node = node->next)\n"
                             "    sum += node->value * static_cast<float>(count--);\n  return sum;\n}\n";
  Evaluation good = evaluate(honest);
  EXPECT_EQ(good.verdict, Verdict::Accepted) << good.detail;
  std::string wrong = honest;
  wrong.replace(wrong.find("int count = 0"), 13, "int count = 1");
  expectRejected(wrong, "'result' differs, by up to ");
}

} // namespace
} // namespace agentic
