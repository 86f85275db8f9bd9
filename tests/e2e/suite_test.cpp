// The suite on the quickstart with a second kernel, whose tests notice nothing: a table with one result and one
// failure, and the state after an interruption.
#include "tests/e2e/background.h"
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <csignal>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

constexpr const char *kKernel = R"(#include <cstddef>
#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif
AGENTIC_KERNEL
void scale(const float *in, float *out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    out[i] = 2.0f * in[i];
}
)";
constexpr const char *kTest = R"(#include <cstddef>
#include <gtest/gtest.h>
void scale(const float *in, float *out, std::size_t count);
TEST(Scale, NoticesNothing) {
  float in[4] = {}, out[4] = {};
  scale(in, out, 4);
}
)";
constexpr const char *kBenchmark = R"(#include <benchmark/benchmark.h>
#include <cstddef>
void scale(const float *in, float *out, std::size_t count);
static void BM_Scale(benchmark::State &state) {
  static float in[4096], out[4096];
  for (auto _ : state) {
    scale(in, out, 4096);
    benchmark::DoNotOptimize(out);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_Scale);
)";
/// Does half of the kernel's work, in the kernel's place.
constexpr const char *kExpert = R"(
static void BM_ColumnSums_Expert_half(benchmark::State &state) {
  const std::size_t size = 512;
  std::vector<float> matrix(size * size, 1.5f), sums(size);
  for (auto _ : state) {
    columnSums(matrix.data(), sums.data(), size / 2, size);
    benchmark::DoNotOptimize(sums.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_ColumnSums_Expert_half);
)";
constexpr const char *kBuild = R"(
add_library(scale STATIC scale.cpp)
add_executable(scale_test scale_test.cpp)
target_link_libraries(scale_test PRIVATE scale GTest::gtest_main)
add_test(NAME scale_test COMMAND scale_test)
add_executable(scale_bench scale_bench.cpp)
target_link_libraries(scale_bench PRIVATE scale benchmark::benchmark_main)
add_agentic_kernel(scale TARGET scale SOURCE scale.cpp TESTS scale_test BENCHMARKS scale_bench LABELS copies)
)";

class SuiteJob : public testing::Test {
protected:
  void SetUp() override {
    project_.write("scale.cpp", kKernel);
    project_.write("scale_test.cpp", kTest);
    project_.write("scale_bench.cpp", kBenchmark);
    project_.write("column_sums_bench.cpp", project_.read("column_sums_bench.cpp") + kExpert);
    project_.replace("CMakeLists.txt", "BENCHMARKS column_sums_bench",
                     "BENCHMARKS column_sums_bench BENCHMARK_FILTER ^BM_ColumnSums$");
    project_.write("CMakeLists.txt", project_.read("CMakeLists.txt") + kBuild);
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
    before_ = snapshot(project_.source());
  }

  std::string file(const std::string &name) const { return (project_.root() / name).string(); }

  Project project_{"examples/quickstart"};
  std::map<std::string, std::string> before_;
};

TEST_F(SuiteJob, EveryKernelBecomesARow) {
  const Outcome outcome = project_.tool({"suite", "--agent", "builtin", "--max-iterations", "2", "--no-write",
                                         "--explain", "--csv", file("suite.csv"), "--markdown", file("suite.md")});
  SCOPED_TRACE(outcome.all());
  ASSERT_EQ(outcome.status, 0);
  const nlohmann::json &suite = outcome.json;
  ASSERT_TRUE(suite.is_object());
  ASSERT_EQ(suite["kernels"].size(), 2u);

  const nlohmann::json &sums = suite["kernels"][0];
  EXPECT_EQ(sums["kernel"], "column_sums");
  EXPECT_EQ(sums["correct"], true);
  ASSERT_TRUE(sums["speedup"].is_object());
  for (const char *key : {"low", "ratio", "high"})
    EXPECT_TRUE(sums["speedup"][key].is_number()) << key;
  EXPECT_GT(sums["baseline_ns"].get<double>(), 0);
  EXPECT_GT(sums["expert_percent"].get<double>(), 0);
  EXPECT_EQ(sums["expert"], "half");
  EXPECT_GT(sums["bandwidth_percent"].get<double>(), 0);
  EXPECT_TRUE(sums["memory_level"].is_string());
  EXPECT_EQ(sums["candidates"], 2);
  EXPECT_NE(sums["improved"].get<bool>(), sums["reason"].is_string());

  ASSERT_EQ(sums["promises"].size(), 2u) << "one of each candidate";
  EXPECT_GT(sums["promises"][0]["promised"].get<double>(), 0);
  EXPECT_TRUE(sums["promises"][0]["recipe"].is_string() && sums["promises"][0]["verdict"].is_string());

  const nlohmann::json &scale = suite["kernels"][1];
  EXPECT_EQ(scale["kernel"], "scale");
  EXPECT_EQ(scale["correct"], false);
  EXPECT_EQ(scale["speedup"], nullptr);
  EXPECT_EQ(scale["reason"].get<std::string>().find("failed: "), 0u) << scale["reason"];

  EXPECT_EQ(suite["fast_1"], 0.5);
  for (const char *key : {"geometric_mean", "fast_1.5", "fast_2", "fast_4"})
    EXPECT_TRUE(suite[key].is_number()) << key;
  EXPECT_TRUE(suite["machine"].is_string() && suite["compiler"].is_string());
  EXPECT_EQ(suite["interrupted"], false);

  const std::string csv = readFile(file("suite.csv")).value_or("");
  EXPECT_EQ(csv.find("kernel,ratio,low,high,"), 0u) << csv;
  EXPECT_NE(csv.find("\ncolumn_sums,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nscale,,,,false,"), std::string::npos) << csv;
  const std::string markdown = readFile(file("suite.md")).value_or("");
  EXPECT_NE(markdown.find("\n| `column_sums` |"), std::string::npos) << markdown;
  EXPECT_EQ(snapshot(project_.source()), before_) << "--no-write wrote";
}

TEST_F(SuiteJob, RefusesWhatIsNotThere) {
  expectOneError(project_.tool({"suite", "--kernel", "scales"}), 1, {"scales", "scale"});
  expectOneError(project_.tool({"suite", "--set", "sums"}), 1,
                 {"no kernel of this build has the label 'sums'", "all, copies"});
  const Outcome noFolder = project_.tool(
      {"suite", "--csv", "/proc/no/such/folder.csv", "--agent", "builtin,command:/bin/ask --token secret"});
  expectOneError(noFolder, 1, {"/proc/no"});
  EXPECT_EQ(noFolder.json["agent"], "builtin,command:ask"); // a report is no place for a program's arguments
}

TEST_F(SuiteJob, CtrlCKeepsTheRowsThatAreDone) {
  // `scale` fails before the search: its row is there when the other kernel's run is interrupted.
  project_.replace("CMakeLists.txt", "add_agentic_kernel(scale ", "add_agentic_kernel(a_scale ");
  ASSERT_EQ(project_.configure().status, 0);
  before_ = snapshot(project_.source());
  Background job(project_.toolCommand({"suite", "--csv", file("suite.csv")}), project_.root() / "pid");
  EXPECT_TRUE(job.waitUntil([this] { return fs::exists(project_.build() / "_agentic" / "runs"); }));
  job.signal(SIGINT);
  const Outcome outcome = job.finish();
  SCOPED_TRACE(outcome.all());
  EXPECT_EQ(outcome.status, 130);
  ASSERT_TRUE(outcome.json.is_object());
  EXPECT_EQ(outcome.json["interrupted"], true);
  ASSERT_EQ(outcome.json["kernels"].size(), 1u);
  EXPECT_EQ(outcome.json["kernels"][0]["kernel"], "a_scale");
  EXPECT_NE(readFile(file("suite.csv")).value_or("").find("\na_scale,"), std::string::npos);
  EXPECT_EQ(snapshot(project_.source()), before_);
}

} // namespace
} // namespace agentic::e2e
