#include "tool/runner/runner_timing.h"

#include <gtest/gtest.h>

namespace agentic::runner {
namespace {

std::vector<TimedBatches> nanoseconds(std::vector<TimedBatches> batches) {
  for (TimedBatches &one : batches)
    one = {1e-9 * one.preparation, 1e-9 * one.both};
  return batches;
}

// Recorded of a call of 1,180 ns beside three busy loops, 2 cores of a virtual machine.
TEST(SecondsOfCall, AClockThatLosesTimeIsNoFastCall) {
  const auto batches = nanoseconds(
      {{298, 1485}, {301, 1478}, {299, 1488}, {297, 1484}, {303, 175}, {296, 1477}, {299, 1478}, {294, 1473}});
  EXPECT_NEAR(secondsOfCall(batches), 1179e-9, 10e-9) << "the shortest times say less than nothing";
}

TEST(SecondsOfCall, WhatDisturbsTheMostBatchesIsNotTheCalls) {
  const auto batches = nanoseconds({{316, 1918},
                                    {283, 1454},
                                    {286, 1902},
                                    {278, 1919},
                                    {281, 1463},
                                    {714, 1466},
                                    {274, 1910},
                                    {280, 1902},
                                    {275, 1458},
                                    {282, 1459},
                                    {283, 1922},
                                    {275, 1914}});
  EXPECT_NEAR(secondsOfCall(batches), 1180e-9, 10e-9);
}

TEST(SecondsOfCall, AFewBatchesOfALongCall) {
  EXPECT_DOUBLE_EQ(secondsOfCall({{0.01, 0.05}}), 0.04);
  EXPECT_DOUBLE_EQ(secondsOfCall({{0.01, 0.05}, {0.01, 0.04}}), 0.03);
}

TEST(SecondsOfCall, IsNeverNothing) {
  EXPECT_EQ(secondsOfCall({{2e-9, 1e-9}}), 1e-10);
}

} // namespace
} // namespace agentic::runner
