// Tests that an expired limit ends every step of the evaluator: none is skipped for it, and none continues.
#include "tests/evaluate/project_fixture.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>

namespace agentic {
namespace {

const char *const kLinear = "void running(const unsigned *x, unsigned *y, std::size_t n) {\n"
                            "  unsigned sum = 0;\n  for (std::size_t i = 0; i < n; ++i)\n    y[i] = sum += x[i];\n}\n";

template <class T> void expectInterrupted(const Result<T> &result, const char *what) {
  ASSERT_FALSE(result) << what;
  EXPECT_EQ(result.error().kind, ErrorKind::Interrupted) << what << ": " << result.error().message;
}

TEST(Deadline, EndsWhateverTheEvaluatorDoes) {
  const Project project("project");
  std::atomic<bool> isUp = true;
  std::optional<Stage> upAt;
  EvaluatorOptions options;
  options.buildDir = project.build();
  options.kernel = "running_sums";
  options.cancelled = &isUp;
  options.stage = [&](Stage stage) { isUp = isUp || stage == upAt; };
  expectInterrupted(Evaluator::open(options), "preparation");

  isUp = false;
  const auto evaluator = Evaluator::open(options);
  ASSERT_TRUE(evaluator) << evaluator.error().message;
  const Candidate candidate = makeCandidate(kLinear, "file: linear.cpp");
  isUp = true;
  expectInterrupted((*evaluator)->adequacy({}), "adequacy");
  expectInterrupted((*evaluator)->evaluate(candidate), "evaluate");
  expectInterrupted((*evaluator)->replayShipped(candidate.origin, {}), "the full expectation");
  for (const Stage stage : {Stage::Check, Stage::Differential, Stage::Sanitize, Stage::Test, Stage::Confirm}) {
    isUp = false;
    upAt = stage;
    expectInterrupted((*evaluator)->confirm(candidate, 1), stageName(stage));
    EXPECT_TRUE(isUp) << stageName(stage) << " was not entered";
  }
}

} // namespace
} // namespace agentic
