#include "tool/base/time_limit.h"

#include "tool/base/clock.h"
#include "tool/base/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace agentic {
namespace {

void waitFor(const std::atomic<bool> &flag) {
  while (!flag)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(TimeLimit, IsUpAtOnceWhereNothingIsLeft) {
  const TimeLimit limit(steadySeconds() - 1);
  EXPECT_TRUE(*limit.flag());
  EXPECT_TRUE(limit.isUp());
}

TEST(TimeLimit, WithoutAnEndNothingIsRaised) {
  const TimeLimit limit(TimeLimit::kNever);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_FALSE(*limit.flag());
  EXPECT_FALSE(limit.isUp());
}

TEST(TimeLimit, EndsAChildProcess) {
  const TimeLimit limit(steadySeconds() + 0.1);
  const auto result = runProcess({.argv = {"sleep", "1000"}, .timeoutSeconds = 600, .cancelled = limit.flag()});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, ProcessResult::End::Cancelled);
  EXPECT_TRUE(limit.isUp());
}

TEST(TimeLimit, AnotherFlagIsToldApart) {
  std::atomic<bool> cancelled = false;
  const TimeLimit limit(steadySeconds() + 1000, &cancelled);
  EXPECT_FALSE(*limit.flag());
  cancelled = true;
  waitFor(*limit.flag());
  EXPECT_FALSE(limit.isUp());
}

TEST(TimeLimit, TheEndCanBeMoved) {
  TimeLimit limit(steadySeconds() + 1000);
  limit.moveTo(steadySeconds() - 1);
  EXPECT_TRUE(*limit.flag());
  EXPECT_TRUE(limit.isUp());
}

} // namespace
} // namespace agentic
