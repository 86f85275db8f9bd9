#include "tool/evaluate/benchmark/experts.h"

#include "tool/evaluate/benchmark/benchmark_report.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

using Entries = std::map<std::string, ReferenceTimes::Entry>;

TEST(Experts, AreKnownByTheirName) {
  const auto expert = parseExpertName("BM_Sgemm_Expert_OpenBLAS/M:256/N:256");
  ASSERT_TRUE(expert);
  EXPECT_EQ(expert->benchmark, "BM_Sgemm/M:256/N:256");
  EXPECT_EQ(expert->library, "OpenBLAS");
  EXPECT_EQ(parseExpertName("BM_X_Expert_gmp")->benchmark, "BM_X");
  EXPECT_EQ(parseExpertName("second: BM_X_Expert_gmp/1")->benchmark, "second: BM_X/1");
  for (const char *other : {"BM_Sgemm/256", "BM_Sgemm_Expert_/256", "_Expert_lib/1", "BM_Sgemm/_Expert_x", ""})
    EXPECT_FALSE(parseExpertName(other)) << other;
}

TEST(Experts, AreComparedAtTheSameArguments) {
  const auto comparison =
      compareWithExperts({{"BM_X/1", 100}, {"BM_X/2", 100}, {"BM_X/3", 1}}, Entries{{"BM_X_Expert_lib/1", {50}},
                                                                                    {"BM_X_Expert_lib/2", {800}},
                                                                                    {"BM_X_Expert_lib/4", {1}},
                                                                                    {"BM_Y_Expert_lib/3", {1}}});
  ASSERT_TRUE(comparison);
  EXPECT_NEAR(comparison->percent, 200, 1e-9); // of 50 % and 800 %
  EXPECT_EQ(comparison->libraries, "lib");
}

TEST(Experts, TheFastestCounts) {
  const auto comparison = compareWithExperts(
      {{"BM_X", 100}}, Entries{{"BM_X_Expert_a", {80}}, {"BM_X_Expert_b", {40}}, {"BM_X_Expert_c", {60}}});
  ASSERT_TRUE(comparison);
  EXPECT_NEAR(comparison->percent, 40, 1e-9);
  EXPECT_EQ(comparison->libraries, "b");
}

TEST(Experts, NoneMatchesNoPercent) {
  EXPECT_FALSE(compareWithExperts({{"BM_X/1", 100}}, {}));
  EXPECT_FALSE(compareWithExperts({{"BM_X/1", 100}}, Entries{{"BM_X_Expert_a/2", {80}}}));
  EXPECT_FALSE(compareWithExperts({}, Entries{{"BM_X_Expert_a/2", {80}}}));
}

TEST(Counters, AreTurnedIntoCountsPerCall) {
  const auto report = parseBenchmarkReport(R"({"benchmarks": [
    {"run_name": "BM_X", "iterations": 10, "real_time": 9, "cpu_time": 2, "time_unit": "us",
     "bytes_per_second": 3e9, "FLOPS": 5e9},
    {"run_name": "BM_X/real_time", "iterations": 10, "real_time": 9, "cpu_time": 2, "time_unit": "us",
     "bytes_per_second": 3e9},
    {"run_name": "BM_Y", "iterations": 10, "real_time": 9, "cpu_time": 2, "time_unit": "us",
     "bytes_per_second": "many"}]})");
  ASSERT_TRUE(report) << report.error().reason;
  EXPECT_NEAR(report->at("BM_X").bytesPerIteration, 6000, 1e-6);
  EXPECT_NEAR(report->at("BM_X").operationsPerIteration, 10000, 1e-6);
  EXPECT_NEAR(report->at("BM_X/real_time").bytesPerIteration, 27000, 1e-6); // by the time that the library used
  EXPECT_EQ(report->at("BM_Y").bytesPerIteration, 0);
}

} // namespace
} // namespace agentic
