// Compares identical code with itself on the machine that runs the tests, with the command that reports it: every
// comparison is made, decided and counted. Recorded pairs show how often identical code is taken for faster
// (statistics_test.cpp): here the machine's state would decide.
#include "tool/evaluate/calibration/calibration.h"

#include "tool/base/files.h"
#include "tool/evaluate/calibration/calibration_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <vector>

namespace agentic {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kComparisons = 3;

class Calibration : public ::testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create("/tmp", "agentic-calibrate-");
    ASSERT_TRUE(scratch) << scratch.error().message;
    scratch_.emplace(std::move(*scratch));
  }

  ProcessResult tool(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), AGENTIC_KERNEL_BINARY);
    ProcessSpec spec;
    spec.argv = std::move(arguments);
    spec.addedEnvironment = {{"XDG_CACHE_HOME", scratch_->path().string()}};
    spec.timeoutSeconds = 3000; // another measurement may hold the lock for long
    auto result = runProcess(spec);
    EXPECT_TRUE(result);
    return result.value_or(ProcessResult());
  }

  std::optional<ScratchDirectory> scratch_;
};

TEST_F(Calibration, EveryComparisonIsMadeAndCounted) {
  const Sandbox sandbox = Sandbox::probe();
  auto subjects = referenceSubjects(AGENTIC_KERNEL_BINARY, sandbox, scratch_->path(), nullptr);
  ASSERT_TRUE(subjects) << subjects.error().message;
  subjects->resize(1); // the quick one
  std::atomic<bool> enough{false};
  CalibrationPlan plan;
  plan.maxSeconds = 1e6;
  plan.cancelled = &enough;
  std::vector<int> reported;
  plan.decided = [&](const CalibrationDecision &, int done, int) {
    reported.push_back(done);
    enough = std::size_t(done) >= kComparisons;
  };
  auto decisions = calibrate(*subjects, plan);
  ASSERT_TRUE(decisions) << decisions.error().message;
  EXPECT_THAT(reported, ::testing::ElementsAre(1, 2, 3));
  ASSERT_EQ(decisions->size(), kComparisons);
  int accepted = 0;
  for (const CalibrationDecision &decision : *decisions) {
    EXPECT_EQ(decision.subject, subjects->front().name);
    EXPECT_FALSE(decision.isGain);
    EXPECT_THAT(decision.verdict, ::testing::AnyOf("same", "faster", "slower", "too noisy"));
    ASSERT_EQ(decision.benchmarks.size(), 1u);
    // How many pairs nothing disturbed is the machine's business.
    EXPECT_TRUE(decision.verdict == "too noisy" || !decision.benchmarks[0].pairs.empty()) << decision.verdict;
    EXPECT_EQ(decision.isAccepted, decision.verdict == "faster");
    accepted += decision.isAccepted;
  }
  const MachineCalibration result = summarize(*decisions, plan.rule);
  EXPECT_EQ(result.comparisons, int(kComparisons));
  EXPECT_EQ(result.falseAccepts, accepted);
}

TEST_F(Calibration, TheCommandReportsAndKeepsWhatItFound) {
  const ProcessResult result = tool({"calibrate", "--max-seconds", "1", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << result.out;
  EXPECT_EQ(report["comparisons"], 2) << "one per reference kernel"; // whatever it takes
  EXPECT_EQ(report["full"], false);
  EXPECT_EQ(report["subjects"].size(), 2u);
  const StoredCalibration stored = storedCalibration((scratch_->path() / "agentic-kernel/calibration.json").string(),
                                                     machineFingerprint(), report["unix_seconds"]);
  ASSERT_TRUE(stored.calibration) << stored.note;
  EXPECT_EQ(stored.calibration->comparisons, 2);
  EXPECT_THAT(result.err, HasSubstr("identical code"));
}

} // namespace
} // namespace agentic
