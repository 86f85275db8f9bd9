// The whole pipeline for a level that this machine is said to lack: everything that runs code of the kernel runs on a
// host of a farm, with the real worker. Compilers and checks run here.
#include "tests/evaluate/project_fixture.h"
#include "tests/evaluate/running_sums.h"
#include "tests/farm/built_worker.h"

#include "tool/build/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OnHosts : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    project_ = new Project("project");
    options_ = new EvaluatorOptions;
    options_->buildDir = project_->build();
    options_->kernel = "running_sums";
    options_->level = highestLevel(hostCpu())->name;
    options_->cpu = {.processor = hostCpu().processor}; // it has nothing
    options_->progress = [](const std::string &line) { progress_ += line + "\n"; };
    options_->warning = [](const std::string &line) { warnings_ += line + "\n"; };
  }
  static void TearDownTestSuite() {
    delete project_;
    delete options_;
  }
  void SetUp() override {
    ASSERT_TRUE(highestLevel(hostCpu()));
    options_->farm.worker = builtWorker(project_->build() + "/cache");
    options_->farm.hosts = {{.name = "there", .words = {"/bin/sh", "-c"}}};
  }
  static std::string verdictOf(Evaluator &evaluator, const std::string &text) {
    const auto evaluation = evaluator.evaluate(makeCandidate(text, "file: candidate.cpp"));
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return evaluation ? std::string(verdictName(evaluation->verdict)) + " by " + stageName(evaluation->stage) : "";
  }

  static inline Project *project_ = nullptr;
  static inline EvaluatorOptions *options_ = nullptr;
  static inline std::string progress_, warnings_;
};

TEST_F(OnHosts, WithoutAHostThatHasTheLevelItSaysWhatIsMissing) {
  EvaluatorOptions options = *options_;
  options.farm.hosts.clear();
  const auto here = Evaluator::open(options);
  ASSERT_FALSE(here);
  EXPECT_THAT(here.error().message, HasSubstr("lacks level " + options.level));
  options = *options_;
  options.farm.hosts = {{.name = "gone", .words = {"/bin/sh", "-c", "echo No route to host >&2; exit 255", "sh"}}};
  const auto there = Evaluator::open(options);
  ASSERT_FALSE(there);
  EXPECT_THAT(there.error().message, AllOf(HasSubstr("lacks level " + options.level),
                                           HasSubstr("no host of --farm can stand in"), HasSubstr("No route to host")));
}

TEST_F(OnHosts, JudgesAsEverywhere) {
  auto opened = Evaluator::open(*options_);
  ASSERT_TRUE(opened) << opened.error().message << progress_ << warnings_;
  Evaluator &evaluator = **opened;
  EXPECT_THAT(progress_, AllOf(HasSubstr("running the programs on there ("), HasSubstr("this machine lacks level ")));
  EXPECT_TRUE(evaluator.isTimed());
  EXPECT_EQ(evaluator.measuringCpu(), cpuName());
  EXPECT_GT(evaluator.calibration().baselineNs, 0);
  EXPECT_EQ(evaluator.calibration().testCount, 3);
  EXPECT_EQ(evaluator.calibration().observed, (ObservedValues{{"n", {4000}}})) << "its calls were recorded there";

  EXPECT_EQ(verdictOf(evaluator, kernel("  for (std::size_t i = 0; i < n; ++i)\n    y[i] = 1;")), "rejected by test");
  EXPECT_EQ(verdictOf(evaluator, kernel("  undeclared();")), "rejected by compile");
  EXPECT_EQ(verdictOf(evaluator, kernel("  unsigned sum = 0;\n  for (std::size_t i = 0; i < n; ++i)\n"
                                        "    y[i] = sum += x[i];\n  if (n > 100 && x[1] == 0)\n    y[0] += 1;")),
            "rejected by differential");
  EXPECT_EQ(verdictOf(evaluator, kernel("  int sum = 0;\n  for (std::size_t i = 0; i + 1 < n; i += 2) {\n"
                                        "    y[i] = unsigned(sum += int(x[i]));\n"
                                        "    y[i + 1] = unsigned(sum += int(x[i + 1]));\n  }\n"
                                        "  if (n % 2 != 0)\n    y[n - 1] = unsigned(sum) + x[n - 1];")),
            "rejected by sanitize");
  const Candidate linear = makeCandidate(kLinear, "file: linear.cpp");
  const auto accepted = evaluator.evaluate(linear);
  ASSERT_TRUE(accepted) << accepted.error().message;
  EXPECT_EQ(accepted->verdict, Verdict::Accepted) << accepted->detail;
  EXPECT_EQ(accepted->host, "there");
  const auto confirmed = evaluator.confirm(linear, 1);
  ASSERT_TRUE(confirmed) << confirmed.error().message;
  EXPECT_EQ(confirmed->verdict, Verdict::Accepted) << confirmed->detail;
  const auto adequacy = evaluator.adequacy({.mostMutants = 5});
  ASSERT_TRUE(adequacy) << adequacy.error().message;
  EXPECT_GT(adequacy->killed(), 0);
  const auto uncovered = evaluator.uncovered();
  ASSERT_TRUE(uncovered) << uncovered.error().message;
  EXPECT_THAT(*uncovered, IsEmpty());
  EXPECT_THAT(warnings_, testing::Not(HasSubstr("left out")));
}

} // namespace
} // namespace agentic
