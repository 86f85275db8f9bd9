// Tests the last gate before files are written: the project's tests in a tree built with sanitizers throughout.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char *kSignature =
    "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns)";

constexpr const char *kTest = R"(#include <cstddef>
#include <gtest/gtest.h>
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns);
// No allocator knows where these end.
float matrix[512 * 512], sums[512];
TEST(ColumnSums, OfAnArray) {
  for (std::size_t i = 0; i < 512 * 512; ++i)
    matrix[i] = float(i * 7919 % 251) - 100;
  columnSums(matrix, sums, 512, 512);
  for (std::size_t c = 0; c < 512; ++c) {
    float expected = 0;
    for (std::size_t r = 0; r < 512; ++r)
      expected += matrix[r * 512 + c];
    ASSERT_EQ(sums[c], expected);
  }
}
)";

constexpr const char *kBenchmark = R"(#include <benchmark/benchmark.h>
#include <cstddef>
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns);
float matrix[512 * 512], sums[512];
static void BM_ColumnSums(benchmark::State &state) {
  for (auto _ : state) {
    columnSums(matrix, sums, 512, 512);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_ColumnSums);
)";

/// Sums row by row, then runs `more`.
std::string candidate(const std::string &more = {}) {
  return std::string(kSignature) + R"( {
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = 0;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      sums[c] += matrix[r * columns + c];
)" + more +
         "}\n";
}

class SanitizedTree : public testing::Test {
protected:
  void configure() {
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  Outcome apply(const std::string &text) const {
    const std::string file = (project_.root() / "candidate.cpp").string();
    EXPECT_TRUE(writeFileAtomic(file, text));
    return project_.tool({"apply", "--kernel", "column_sums", file});
  }
  std::string header() const {
    for (const auto &entry : fs::directory_iterator(project_.source() / "generated"))
      if (entry.path().extension() == ".cpp") {
        const std::string text = project_.read("generated/" + entry.path().filename().string());
        return text.substr(0, text.find("\n#"));
      }
    return "(no variant)";
  }

  Project project_{"examples/quickstart"};
};

// Neither the tests nor the candidate's own instrumentation can see this: the arrays are the test's, which have no
// redzones in other trees, and nothing declares their extents.
TEST_F(SanitizedTree, AReadBehindACallersArrayBlocksTheWriteBack) {
  project_.write("column_sums_test.cpp", kTest);
  project_.write("column_sums_bench.cpp", kBenchmark);
  configure();
  const Outcome outcome = apply(candidate("  sums[0] += 0.0f * matrix[rows * columns];\n"));
  expectOneError(outcome, 3,
                 {"the variant is rejected in a tree built with sanitizers throughout",
                  "memory error: global-buffer-overflow (a read)", "nothing was written"});
  EXPECT_FALSE(fs::exists(project_.source() / "generated")) << outcome.all();

  const Outcome honest = apply(candidate());
  EXPECT_EQ(honest.status, 0) << honest.all();
  EXPECT_THAT(header(), AllOf(HasSubstr("//   review "), Not(HasSubstr("not tested in a tree"))));
}

TEST_F(SanitizedTree, AProjectThatCannotBeBuiltThatWayIsRemarked) {
  project_.replace("CMakeLists.txt", "add_compile_options(-march=native)",
                   "add_compile_options(-march=native)\nif(CMAKE_CXX_FLAGS MATCHES fsanitize)\n"
                   "  message(FATAL_ERROR \"no sanitizers here\")\nendif()");
  configure();
  const Outcome outcome = apply(candidate());
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_THAT(header(),
              HasSubstr("not tested in a tree built with sanitizers throughout: the project does not build that way"));
  EXPECT_THAT(header(), Not(HasSubstr(project_.root().string())));
  EXPECT_THAT(outcome.err, HasSubstr("no sanitizers here"));
}

/// Fails if a variant is forced in the shipped binary: else the variable holds a candidate's path, or "baseline".
constexpr const char *kShippedTest = R"(
#include <cstdlib>
#include <string>
TEST(ColumnSums, AsItShips) {
  const char *forced = std::getenv("AGENTIC_KERNEL_column_sums");
  EXPECT_FALSE(forced && std::string(forced).starts_with("x86-64")) << forced;
}
)";

TEST_F(SanitizedTree, ARefusalIsOfTheGateThatRefused) {
  project_.replace("CMakeLists.txt", "CMAKE_CXX_STANDARD 17", "CMAKE_CXX_STANDARD 20");
  project_.write("column_sums_test.cpp", project_.read("column_sums_test.cpp") + kShippedTest);
  configure();
  const std::string file = (project_.root() / "candidate.cpp").string();
  ASSERT_TRUE(writeFileAtomic(file, candidate()));
  const Outcome outcome =
      project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "1", "--seed-from", file});
  expectOneError(outcome, 3, {"the tests fail in the binary as it ships", "--resume confirms the next best candidate"});
  const Outcome reported = project_.tool({"report"});
  ASSERT_EQ(reported.status, 0) << reported.all();
  EXPECT_EQ(reported.json.at("runs").at(0).at("rejected").value("test", 0), 1) << reported.out;
}

} // namespace
} // namespace agentic::e2e
