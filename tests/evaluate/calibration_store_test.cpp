#include "tool/evaluate/calibration/calibration_store.h"

#include "tool/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kNow = 1'800'000'000, kDay = 86400;

CalibrationDecision decision(const std::string &subject, const std::string &verdict, double low) {
  CalibrationDecision result{.subject = subject, .verdict = verdict};
  result.isAccepted = verdict == "faster";
  result.seconds = 3;
  result.ownSeconds = 2;
  result.speedup = {low + 0.01, low, low + 0.02, true};
  BenchmarkMeasurement benchmark;
  benchmark.pairs.assign(8, Pair{Repetitions(5, 100), Repetitions(5, 100)});
  result.benchmarks.push_back(benchmark);
  return result;
}

std::vector<CalibrationDecision> someDecisions() {
  std::vector<CalibrationDecision> decisions = {decision("cache", "same", 0.99), decision("memory", "same", 0.99),
                                                decision("cache", "faster", 1.025), decision("cache", "faster", 1.04),
                                                decision("cache", "too noisy", 1.04)};
  decisions[1].isBusy = true;
  decisions[2].ownSeconds = 5;
  decisions[3].isGain = true;
  return decisions;
}

TEST(Summary, CountsByTruthAndVerdict) {
  const MachineCalibration result = summarize(someDecisions(), {});
  EXPECT_EQ(result.comparisons, 4);
  EXPECT_EQ(result.falseAccepts, 1);
  EXPECT_EQ(result.busyComparisons, 1);
  EXPECT_EQ(result.busyFalseAccepts, 0);
  EXPECT_EQ(result.undecided, 1);
  EXPECT_EQ(result.gains, 1);
  EXPECT_EQ(result.gainsAccepted, 1);
  EXPECT_DOUBLE_EQ(result.longestSeconds, 5);
  EXPECT_DOUBLE_EQ(result.longestWallSeconds, 3);
  EXPECT_NEAR(result.meanSeconds, 13.0 / 5, 1e-9);
  EXPECT_NEAR(result.threshold, 0.05, 0.0011); // twice what identical code seemed to gain; the true gain says nothing
  ASSERT_EQ(result.subjects.size(), 2u);
  EXPECT_EQ(result.subjects[0].name, "cache");
  EXPECT_DOUBLE_EQ(result.subjects[0].nanoseconds, 100);
  EXPECT_FALSE(result.machine.cpu.empty());
  EXPECT_GT(result.machine.cpus, 0);
}

TEST(Summary, LoadDisturbsWhereIdenticalCodeDiffersHalfAsMuchAgain) {
  MachineCalibration calibration;
  EXPECT_FALSE(calibration.isDisturbedByLoad());
  calibration.subjects = {{.name = "cache", .noise = 0.01, .noiseBusy = 0.015}, {.name = "memory", .noise = 0.01}};
  EXPECT_FALSE(calibration.isDisturbedByLoad()) << "as much as is permitted, and not measured";
  calibration.subjects[1].noiseBusy = 0.016;
  EXPECT_TRUE(calibration.isDisturbedByLoad());
  calibration.subjects[1].noise = 0;
  EXPECT_FALSE(calibration.isDisturbedByLoad());
}

class Stored : public ::testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "agentic-calibration-");
    ASSERT_TRUE(scratch);
    scratch_.emplace(std::move(*scratch));
    file_ = (scratch_->path() / "deep" / "calibration.json").string();
    calibration_ = summarize(someDecisions(), {});
    calibration_.machine = machine_;
    calibration_.unixSeconds = kNow;
    calibration_.full = true;
    ASSERT_TRUE(writeFileAtomic(file_, calibrationText(calibration_)));
  }

  std::optional<ScratchDirectory> scratch_;
  std::string file_;
  MachineFingerprint machine_{"CPU 9", "6.1", "0x1", "performance", "0.1.0", 2};
  MachineCalibration calibration_;
};

TEST_F(Stored, ComesBackAsItWas) {
  const StoredCalibration stored = storedCalibration(file_, machine_, kNow + 89 * kDay);
  ASSERT_TRUE(stored.calibration) << stored.note;
  EXPECT_EQ(stored.note, "");
  EXPECT_EQ(stored.calibration->machine, machine_);
  EXPECT_EQ(calibrationText(*stored.calibration), calibrationText(calibration_));
}

TEST_F(Stored, DoesNotCountForAnotherMachine) {
  for (auto change : {+[](MachineFingerprint &m) { m.cpu = "CPU 8"; }, +[](MachineFingerprint &m) { m.cpus = 4; },
                      +[](MachineFingerprint &m) { m.kernel = "6.2"; }, +[](MachineFingerprint &m) { m.tool = "0.2"; },
                      +[](MachineFingerprint &m) { m.microcode = "0x2"; },
                      +[](MachineFingerprint &m) { m.governor = "powersave"; }}) {
    MachineFingerprint other = machine_;
    change(other);
    const StoredCalibration stored = storedCalibration(file_, other, kNow);
    EXPECT_FALSE(stored.calibration);
    EXPECT_THAT(stored.note, HasSubstr("another machine"));
  }
}

TEST_F(Stored, DoesNotCountForEver) {
  const StoredCalibration old = storedCalibration(file_, machine_, kNow + 91 * kDay);
  EXPECT_FALSE(old.calibration);
  EXPECT_THAT(old.note, HasSubstr("91 days old"));
  EXPECT_FALSE(storedCalibration(file_, machine_, kNow - 2 * kDay).calibration); // of the future
}

TEST_F(Stored, NonsenseIsNotedAndAbsenceIsNot) {
  EXPECT_EQ(storedCalibration(file_ + "x", machine_, kNow).note, "");
  for (const char *text : {"", "{", "[]", R"({"schema":1})", R"({"schema":2})"}) {
    ASSERT_TRUE(writeFileAtomic(file_, text));
    const StoredCalibration stored = storedCalibration(file_, machine_, kNow);
    EXPECT_FALSE(stored.calibration) << text;
    EXPECT_THAT(stored.note, HasSubstr("cannot be read")) << text;
  }
  calibration_.threshold = 7;
  EXPECT_FALSE(parseCalibration(calibrationText(calibration_)));
}

} // namespace
} // namespace agentic
