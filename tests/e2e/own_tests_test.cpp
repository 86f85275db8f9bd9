// Tests and benchmarks as people have them: a main with assert(), a test that add_test() registers, a script around a
// program; a benchmark that cannot run here.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char *kTest = R"(#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <vector>

void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns);

// Elements whose sums are exact in any order. Arguments: the largest number of columns.
int main(int argc, char **argv) {
  const std::size_t widest = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 70;
  for (std::size_t columns = 1; columns < widest; ++columns) {
    std::vector<float> matrix(37 * columns), sums(columns, -1.0f);
    for (const std::size_t first : {0, 500}) { // the same buffers with other contents
      std::vector<float> expected(columns);
      for (std::size_t i = 0; i < matrix.size(); ++i) {
        matrix[i] = float((first + i * 7919) % 1000);
        expected[i % columns] += matrix[i];
      }
      assert((columnSums(matrix.data(), sums.data(), 37, columns), sums == expected));
    }
  }
}
)";

// It hides what the program writes, and takes no argument but the program.
constexpr const char *kScript = "test $# = 1 && \"$1\" 60 >/dev/null 2>&1\n";

// Reads row by row. Far from what memory delivers, so that no busy machine makes it implausible.
constexpr const char *kFaster = R"(
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = 0.0f;
  for (std::size_t r = 0; r < rows; ++r) {
#pragma clang loop vectorize(disable) interleave(disable)
    for (std::size_t c = 0; c < columns; ++c)
      sums[c] += matrix[r * columns + c];
  }
}
)";

// Leaves the last row out.
constexpr const char *kWrong = R"(
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = 0.0f;
  for (std::size_t r = 0; r + 1 < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      sums[c] += matrix[r * columns + c];
}
)";

class OwnTests : public testing::Test {
protected:
  void SetUp() override {
    project_.write("column_sums_test.cpp", kTest);
    project_.write("run.sh", kScript);
    project_.write("faster.cpp", kFaster);
    project_.write("wrong.cpp", kWrong);
    project_.replace("CMakeLists.txt", "find_package(GTest REQUIRED)", "");
    project_.replace("CMakeLists.txt", "include(GoogleTest)", "");
    project_.replace("CMakeLists.txt", "column_sums GTest::gtest_main)", "column_sums)");
    project_.replace(
        "CMakeLists.txt", "gtest_discover_tests(column_sums_test)",
        "target_compile_options(column_sums_test PRIVATE -UNDEBUG)\n"
        "add_test(NAME sums.wide COMMAND column_sums_test 90)\n"
        "add_test(NAME sums.script COMMAND sh ${CMAKE_SOURCE_DIR}/run.sh $<TARGET_FILE:column_sums_test>)");
  }
  void configure() {
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  Outcome evaluate(const std::string &candidate) {
    return project_.tool({"evaluate", "--kernel", "column_sums", (project_.source() / candidate).string()});
  }

  Project project_{"examples/quickstart"};
};

TEST_F(OwnTests, AMainWithAssertDecidesAndABenchmarkThatCannotRunIsLeftOut) {
  project_.replace("column_sums_bench.cpp", "#include <benchmark/benchmark.h>",
                   "#include <benchmark/benchmark.h>\n\n"
                   "static void BM_FromFile(benchmark::State &state) {\n"
                   "  state.SkipWithError(\"input file is missing\");\n"
                   "  for (auto _ : state) {\n  }\n}\nBENCHMARK(BM_FromFile);");
  configure();
  const Outcome wrong = evaluate("wrong.cpp");
  EXPECT_EQ(wrong.status, 3) << wrong.all();
  EXPECT_THAT(wrong.all(), HasSubstr("column_sums_test was killed by SIG")); // which one, the sandbox decides
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("benchmark 'BM_FromFile' of 'column_sums_bench' is left out"),
                               HasSubstr("input file is missing")));
  const Outcome faster = evaluate("faster.cpp");
  EXPECT_EQ(faster.status, 0) << faster.all();
  const Outcome adequate =
      project_.tool({"adequacy", "--kernel", "column_sums", "--mutants", "6", "--require-adequate", "100%"});
  EXPECT_EQ(adequate.status, 0) << adequate.all();
}

TEST_F(OwnTests, WithoutAssertionsTheMessageNamesNdebug) {
  project_.replace("CMakeLists.txt", "target_compile_options(column_sums_test PRIVATE -UNDEBUG)", "");
  configure();
  expectOneError(evaluate("faster.cpp"), 1,
                 {"calls kernel 'column_sums'",
                  "This build defines NDEBUG, which takes every assert() out of "
                  "column_sums_test",
                  "target_compile_options(column_sums_test PRIVATE -UNDEBUG)"});
}

// Registered tests judge wherever tests do: candidates, what ships, a tree with sanitizers, the forced tests of ctest.
TEST_F(OwnTests, RegisteredTestsAndScriptsAroundProgramsServe) {
  project_.replace("CMakeLists.txt", "TESTS column_sums_test", "TESTS sums.wide sums.script");
  configure();
  const Outcome wrong = evaluate("wrong.cpp");
  EXPECT_EQ(wrong.status, 3) << wrong.all();
  EXPECT_THAT(wrong.all(), HasSubstr("sums.wide was killed by SIG"));
  const Outcome applied =
      project_.tool({"apply", "--kernel", "column_sums", (project_.source() / "faster.cpp").string()});
  ASSERT_EQ(applied.status, 0) << applied.all();
  const Outcome verified = project_.tool({"verify", "--no-benchmark"});
  EXPECT_EQ(verified.status, 0) << verified.all();

  configure();
  ASSERT_EQ(runCommand({"cmake", "--build", project_.build().string()}).status, 0);
  const std::vector<std::string> ctest = {"ctest", "--test-dir",     project_.build().string(),
                                          "-L",    "agentic-kernel", "-V"};
  const Outcome passed = runCommand(ctest);
  EXPECT_EQ(passed.status, 0) << passed.all();
  EXPECT_THAT(passed.out, HasSubstr("100% tests passed"));
  project_.write("run.sh", "exit 7\n");
  const Outcome failed = runCommand(ctest);
  EXPECT_NE(failed.status, 0);
  EXPECT_THAT(failed.all(), HasSubstr("sums.script failed (7)"));
}

constexpr const char *kSpeed = R"(#include <cstddef>
#include <cstdio>
#include <ctime>
#include <vector>

void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns);

int main() {
  const std::size_t size = 512, calls = 40;
  std::vector<float> matrix(size * size, 1.5f), sums(size);
  const std::clock_t begin = std::clock();
  for (std::size_t call = 0; call < calls; ++call)
    columnSums(matrix.data(), sums.data(), size, size);
  const double seconds = double(std::clock() - begin + 1) / CLOCKS_PER_SEC;
  std::printf("%zu columns\nspeed: %.6g calls/s (%g)\n", size, double(calls) / seconds, double(sums[0]));
}
)";

// A program that prints numbers is a benchmark, under the same trap controls.
TEST_F(OwnTests, AnyProgramThatPrintsANumberServesAsBenchmark) {
  project_.write("column_sums_bench.cpp", kSpeed);
  project_.replace("CMakeLists.txt", "find_package(benchmark REQUIRED)", "");
  project_.replace("CMakeLists.txt", "column_sums benchmark::benchmark_main)", "column_sums)");
  project_.replace("CMakeLists.txt", "BENCHMARKS column_sums_bench",
                   "BENCHMARKS column_sums_bench BENCHMARK_METRIC \"([0-9]+) columns\" ms");
  configure();
  expectOneError(evaluate("faster.cpp"), 1,
                 {"'column_sums_bench' prints does not depend on kernel 'column_sums'", "512 ms", "BENCHMARK_METRIC"});

  project_.replace("CMakeLists.txt", "\"([0-9]+) columns\" ms", "\"speed: ([0-9.e+]+) calls/s\" calls/s");
  configure();
  const Outcome faster = evaluate("faster.cpp");
  EXPECT_EQ(faster.status, 0) << faster.all();
  EXPECT_THAT(faster.err,
              testing::ContainsRegex("benchmark program 'column_sums_bench' printed [0-9.e+]+ calls/s, from "
                                     "the line 'speed: .*'; the kernel makes [0-9]+ % of it"));
  EXPECT_EQ(evaluate("wrong.cpp").status, 3);

  project_.replace("column_sums_bench.cpp", "    columnSums(", "    if (sums[0] > 1)\n      columnSums(");
  expectOneError(evaluate("faster.cpp"), 1, {"'column_sums_bench' does not call kernel 'column_sums'"});
}

} // namespace
} // namespace agentic::e2e
