// Tests the recorder, preloaded into a program that calls a kernel.
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/build/glue.h"
#include "tool/evaluate/differential/recorded_calls.h"
#include "tool/runner/recorder_callers.h"
#include "tool/runner/recorder_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <set>
#include <thread>

namespace agentic {
namespace {

using testing::Each;
using testing::SizeIs;

class RecorderTest : public testing::Test {
protected:
  void run(const std::string &scene, std::uint64_t fileLimit = 0) {
    auto scratch = ScratchDirectory::create("/tmp", "agentic-recorder-");
    ASSERT_TRUE(scratch);
    const std::string file = scratch->path() / "calls";
    const Result<std::string> recorder = helperFile(kRecorderLibrary);
    ASSERT_TRUE(recorder) << recorder.error().message;
    ProcessSpec spec;
    spec.argv = {RECORDED_PROGRAM, scene};
    spec.environment = std::vector<std::string>{"LD_PRELOAD=" + *recorder, "AGENTIC_KERNEL_RECORD=" + file};
    spec.timeoutSeconds = 600;
    spec.limits.fileSizeBytes = fileLimit;
    const Result<ProcessResult> done = runProcess(spec);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->ok()) << done->describe() << done->err;
    const Result<std::string> text = readFile(file);
    ASSERT_TRUE(text) << text.error().message;
    bytes_ = text->size();
    callers_ = callersIn(*text);
    Result<std::vector<RecordedCall>> calls = readCalls(*text);
    ASSERT_TRUE(calls) << calls.error().message;
    calls_ = std::move(*calls);
  }

  static long scalar(const RecordedCall &call) {
    long value = 0;
    std::memcpy(&value, call.arguments[2].bytes.data(), sizeof value);
    return value;
  }
  static std::vector<int> ints(const std::vector<std::byte> &bytes) {
    std::vector<int> values(bytes.size() / sizeof(int));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(int));
    return values;
  }
  static std::uint64_t hashOf(const std::vector<int> &values) {
    return wire::hashBytes(values.data(), values.size() * sizeof(int));
  }

  std::vector<RecordedCall> calls_;
  std::size_t bytes_ = 0;
  CallingThreads callers_;
};

TEST_F(RecorderTest, PointersWithoutExtentHaveTheRestOfTheirBlock) {
  run("inside");
  ASSERT_THAT(calls_, SizeIs(1));
  const RecordedCall &call = calls_[0];
  ASSERT_TRUE(isCovered(call));
  EXPECT_EQ(call.arguments[0].header.role, wire::Role::In);
  EXPECT_EQ(ints(call.arguments[0].bytes), std::vector<int>(100, 5));
  EXPECT_EQ(call.arguments[1].header.role, wire::Role::InOut);
  EXPECT_EQ(ints(call.arguments[1].bytes), std::vector<int>(50, 1)) << "what stood there before the call";
  std::vector<int> after(50, 1);
  std::fill(after.begin(), after.begin() + 10, 10);
  EXPECT_EQ(call.arguments[1].header.hashAfter, hashOf(after));
  EXPECT_EQ(call.arguments[2].header.role, wire::Role::Value);
  EXPECT_EQ(scalar(call), 10);
  EXPECT_EQ(ints(call.arguments[3].bytes), std::vector<int>(3, 7));
  EXPECT_EQ(call.arguments[3].header.hashAfter, hashOf(std::vector<int>(3, 8)));
  EXPECT_EQ(ints(call.result), std::vector<int>{10});
  EXPECT_EQ(callers_.most, 1u);
  EXPECT_FALSE(callers_.areSideBySide);
}

TEST_F(RecorderTest, AStackPointerIsNotCovered) {
  run("stack");
  ASSERT_THAT(calls_, SizeIs(1));
  EXPECT_EQ(calls_[0].arguments[0].header.role, wire::Role::Uncovered);
  EXPECT_EQ(calls_[0].arguments[0].header.reason, wire::Reason::UnknownExtent);
  EXPECT_FALSE(isCovered(calls_[0]));
}

TEST_F(RecorderTest, NullIsNull) {
  run("null");
  ASSERT_THAT(calls_, SizeIs(1));
  EXPECT_EQ(calls_[0].arguments[1].header.role, wire::Role::Null);
  EXPECT_TRUE(isCovered(calls_[0]));
  EXPECT_EQ(calls_[0].arguments[0].bytes.size(), 16u) << "the declared extent";
}

TEST_F(RecorderTest, BlocksShrinkAndEnd) {
  run("freed");
  ASSERT_THAT(calls_, SizeIs(2));
  EXPECT_EQ(calls_[0].arguments[0].bytes.size(), 40u);
  EXPECT_EQ(calls_[1].arguments[0].header.reason, wire::Reason::UnknownExtent);
}

TEST_F(RecorderTest, ManyShapesAreSampled) {
  run("shapes");
  EXPECT_GT(calls_.size(), 12u);
  EXPECT_LE(calls_.size(), 24u);
  std::set<long> sizes;
  for (const RecordedCall &call : calls_)
    sizes.insert(scalar(call));
  EXPECT_GT(sizes.size(), 12u);
  EXPECT_GT(*sizes.rbegin(), 20) << "not only the first ones";
}

TEST_F(RecorderTest, OneShapeIsNotTakenForEver) {
  run("same");
  EXPECT_GE(calls_.size(), 5u);
  EXPECT_LE(calls_.size(), 24u);
  EXPECT_GT(calls_.back().header.sequence, 1000u);
}

TEST_F(RecorderTest, ACallThatThrowsIsTakenBack) {
  run("throws");
  ASSERT_THAT(calls_, SizeIs(1));
  EXPECT_EQ(scalar(calls_[0]), 6);
}

TEST_F(RecorderTest, AnExtentBeyondAllMemoryHarmsNobody) {
  run("lies");
  ASSERT_THAT(calls_, SizeIs(2));
  EXPECT_EQ(calls_[0].arguments[0].header.role, wire::Role::Uncovered);
  EXPECT_TRUE(isCovered(calls_[1]));
}

TEST_F(RecorderTest, LargeCallsAreLeftOut) {
  run("large");
  ASSERT_THAT(calls_, SizeIs(2));
  EXPECT_EQ(calls_[0].arguments[0].header.reason, wire::Reason::TooLarge);
  EXPECT_TRUE(isCovered(calls_[1]));
  EXPECT_LT(bytes_, 100'000u);
}

TEST_F(RecorderTest, AContainerThatGrowsIsNotCovered) {
  run("resized");
  ASSERT_THAT(calls_, SizeIs(1));
  EXPECT_EQ(calls_[0].arguments[3].header.reason, wire::Reason::Resized);
}

TEST_F(RecorderTest, AChildRecordsNothing) {
  run("forks");
  ASSERT_THAT(calls_, SizeIs(2));
  EXPECT_EQ(scalar(calls_[0]), 1);
  EXPECT_EQ(scalar(calls_[1]), 3);
}

TEST_F(RecorderTest, ThreadsTakeTurns) {
  run("threads");
  ASSERT_FALSE(calls_.empty());
  EXPECT_EQ(callers_.most, 4u);
  for (const RecordedCall &call : calls_) {
    std::vector<int> after = ints(call.arguments[1].bytes);
    ASSERT_GE(after.size(), std::size_t(scalar(call)));
    for (long i = 0; i < scalar(call); ++i)
      after[std::size_t(i)] = 2 * ints(call.arguments[0].bytes)[std::size_t(i)];
    EXPECT_EQ(call.arguments[1].header.hashAfter, hashOf(after));
  }
}

// Behind each slice lie those of other threads, which write theirs in the meantime.
TEST_F(RecorderTest, ARecordedCallIsAlone) {
  run("slices");
  EXPECT_GT(calls_.size(), 4u);
  EXPECT_EQ(callers_.most, 4u);
  for (const RecordedCall &call : calls_) {
    std::vector<int> after = ints(call.arguments[1].bytes);
    ASSERT_GE(after.size(), std::size_t(scalar(call)));
    const int twice = 2 * ints(call.arguments[0].bytes).front();
    std::fill_n(after.begin(), scalar(call), twice);
    EXPECT_EQ(call.arguments[1].header.hashAfter, hashOf(after)) << call.header.sequence;
  }
}

TEST_F(RecorderTest, AFileLimitEndsTheRecordingNotTheProgram) {
  run("shapes", 8000);
  EXPECT_LE(bytes_, 8000u);
  EXPECT_FALSE(calls_.empty());
}

TEST(RecorderSampler, TakesAtMostItsShare) {
  auto sampler = std::make_unique<recorder::Sampler>();
  unsigned taken = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i)
    taken += sampler->wants(i % 10'000);
  EXPECT_LE(taken, recorder::Sampler::kMost);
  EXPECT_GE(taken, recorder::Sampler::kFirsts);
}

TEST(RecorderSampler, GivesAnotherCallOfTheShapeAChance) {
  auto sampler = std::make_unique<recorder::Sampler>();
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(sampler->wants(5)) << i;
    sampler->giveBack();
  }
  unsigned taken = 0;
  for (int i = 0; i < 1000; ++i)
    if (sampler->wants(6)) {
      ++taken;
      sampler->giveBack();
    }
  EXPECT_LT(taken, 100u) << "but not for ever";
}

TEST(RecorderCallers, CallsAtTheSameTimeAreSideBySide) {
  recorder::Callers callers;
  std::thread([&] {
    callers.enter();
    callers.enter(); // the kernel calls itself
    EXPECT_FALSE(callers.areSideBySide());
    EXPECT_EQ(callers.threads(), 1u);
    EXPECT_TRUE(callers.beAlone());
    callers.endAlone();
    callers.leave();
    std::thread([&] {
      callers.enter();
      callers.leave();
    }).join();
    callers.leave();
  }).join();
  EXPECT_TRUE(callers.areSideBySide());
  EXPECT_EQ(callers.threads(), 2u);
}

TEST(RecorderCallers, OneAfterTheOtherIsNotSideBySide) {
  recorder::Callers callers;
  for (int i = 0; i < 3; ++i)
    std::thread([&] {
      callers.enter();
      callers.leave();
    }).join();
  EXPECT_FALSE(callers.areSideBySide());
  EXPECT_EQ(callers.threads(), 3u);
}

// No atomics: a call that is not alone, or one beside it, would see the numbers differ.
TEST(RecorderCallers, NobodyCallsWhileOneIsAlone) {
  recorder::Callers callers(600);
  std::atomic<bool> isTaken = false;
  std::atomic<int> wrong = 0, alone = 0;
  int first = 0, second = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 3000; ++i) {
        callers.enter();
        if (i % 20 == 0 && !isTaken.exchange(true)) {
          alone += callers.beAlone();
          ++first;
          std::this_thread::yield();
          ++second;
          callers.endAlone();
          isTaken = false;
        } else {
          wrong += first != second;
        }
        callers.leave();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(first, alone);
  EXPECT_GT(alone, 0);
}

TEST(RecorderCallers, ACallThatNeverEndsIsWaitedForOnce) {
  recorder::Callers callers(0.05);
  std::thread([&] { callers.enter(); }).join();
  std::thread([&] {
    callers.enter();
    EXPECT_FALSE(callers.beAlone());
    EXPECT_FALSE(callers.beAlone()) << "at once";
    callers.leave();
    callers.enter();
    callers.leave();
  }).join();
}

} // namespace
} // namespace agentic
