// A beam with all roles, asked of servers that others wrote: aimock, whose answers go by the role of the request, and
// llama.cpp with a model of random weights. What one run learns of a kernel, a run on another kernel is told, and a
// real browser shows the report.
#include "tests/e2e/project.h"
#include "tests/llm/peer_process.h"

#include "tool/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char *kKey = "sk-or-test-0123456789abcdef";

/// A second kernel of the quickstart, made of the same things as the first.
constexpr const char *kMeans = R"(#include <cstddef>

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

AGENTIC_KERNEL
void columnMeans(const float *matrix, float *means, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c) {
    float sum = 0.0f;
    for (std::size_t r = 0; r < rows; ++r)
      sum += matrix[r * columns + c];
    means[c] = rows == 0 ? 0.0f : sum / static_cast<float>(rows);
  }
}
)";
constexpr const char *kMeansTest = R"(#include <cstddef>
#include <gtest/gtest.h>
#include <vector>
void columnMeans(const float *matrix, float *means, std::size_t rows, std::size_t columns);
TEST(ColumnMeans, Sizes) {
  for (std::size_t columns : {1u, 5u, 16u, 33u, 64u})
    for (std::size_t rows : {0u, 1u, 2u, 8u, 33u}) {
      std::vector<float> matrix(rows * columns), means(columns, -1.0f);
      for (std::size_t i = 0; i < matrix.size(); ++i)
        matrix[i] = static_cast<float>(i % 13) - 6;
      columnMeans(matrix.data(), means.data(), rows, columns);
      for (std::size_t c = 0; c < columns; ++c) {
        float sum = 0;
        for (std::size_t r = 0; r < rows; ++r)
          sum += matrix[r * columns + c];
        ASSERT_EQ(means[c], rows == 0 ? 0.0f : sum / static_cast<float>(rows));
      }
    }
}
)";
constexpr const char *kMeansBench = R"(#include <benchmark/benchmark.h>
#include <cstddef>
#include <vector>
void columnMeans(const float *matrix, float *means, std::size_t rows, std::size_t columns);
static void BM_ColumnMeans(benchmark::State &state) {
  std::vector<float> matrix(512 * 512, 1.5f), means(512);
  for (auto _ : state) {
    columnMeans(matrix.data(), means.data(), 512, 512);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_ColumnMeans);
)";
constexpr const char *kMeansBuild = R"(
add_library(column_means STATIC column_means.cpp)
add_executable(column_means_test column_means_test.cpp)
target_link_libraries(column_means_test PRIVATE column_means GTest::gtest_main)
gtest_discover_tests(column_means_test)
add_executable(column_means_bench column_means_bench.cpp)
target_link_libraries(column_means_bench PRIVATE column_means benchmark::benchmark_main)
add_agentic_kernel(column_means TARGET column_means SOURCE column_means.cpp TESTS column_means_test
                   BENCHMARKS column_means_bench VARIANT_DIR generated)
)";
constexpr const char *kMeansFile = R"(#include <cstddef>
void columnMeans(const float *matrix, float *means, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c)
    means[c] = 0.0f;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      means[c] += matrix[r * columns + c];
  for (std::size_t c = 0; c < columns; ++c)
    means[c] = rows == 0 ? 0.0f : means[c] / static_cast<float>(rows);
}
)";

std::string file(const std::string &source) {
  return "```cpp\n" + source + "```\n";
}

/// The answer to whoever's system or user message holds these words.
json answer(const json &match, const std::string &content) {
  return {{"match", match},
          {"response",
           {{"content", content}, {"usage", {{"prompt_tokens", 1000}, {"completion_tokens", 200}, {"cost", 0.001}}}}}};
}

/// The first answer that fits is given: those of roles stand before the coder's.
json fixtures() {
  const auto roleOf = [](const char *role, const std::string &content) {
    return answer({{"systemMessage", "You are the " + std::string(role) + " of"}}, content);
  };
  const std::string reviewed = "// Rows first, so that columns vectorize.\n";
  return {{"fixtures",
           {roleOf("planner", "PLAN: walk the rows\nGAIN: 5\nWHY: columns vectorize\n"),
            roleOf("judge", "VERDICT: keep\nWHY: it looks right\n"),
            roleOf("summarizer",
                   "TITLE: rows first MARK\nWHAT: the loops were exchanged\nWHY: the inner one is contiguous\n"),
            roleOf("reviewer", file(reviewed + kWalksRows)),
            answer({{"userMessage", "# A file that was refused"}}, file(kWalksRows)),
            answer({{"systemMessage", "`columnMeans`"}}, file(kMeansFile)),
            answer({{"systemMessage", "`columnSums`"}}, file("void columnSums(this does not compile\n"))}}};
}

class Peers : public testing::Test {
protected:
  void SetUp() override {
    if (peersFolder().empty())
      GTEST_SKIP() << "aimock is not installed (npm)";
    project_.write("column_means.cpp", kMeans);
    project_.write("column_means_test.cpp", kMeansTest);
    project_.write("column_means_bench.cpp", kMeansBench);
    const std::string build = readFile(project_.source() / "CMakeLists.txt").value_or("");
    project_.write("CMakeLists.txt", build + kMeansBuild);
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  static std::vector<std::string> optimize(const std::string &kernel, std::vector<std::string> more) {
    std::vector<std::string> arguments = {"optimize",
                                          "--kernel",
                                          kernel,
                                          "--strategy",
                                          "beam=1/2/1",
                                          "--role",
                                          "planner,fixer,judge,summarizer,reviewer",
                                          "--no-shorten",
                                          "--no-write"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  Outcome run(const std::vector<std::string> &arguments, const Environment &environment) const {
    return runCommand(project_.toolCommand(arguments), kPatience, environment);
  }
  static json started(const Outcome &outcome) {
    const fs::path run = outcome.json["run_dir"].get<std::string>();
    return json::parse(firstLine(readFile(run / "journal.jsonl").value_or("")));
  }

  Project project_{"examples/quickstart"};
};

TEST_F(Peers, ABeamOfAllRolesTeachesARunOnAnotherKernel) {
  const fs::path answers = project_.root() / "fixtures.json";
  ASSERT_TRUE(writeFileAtomic(answers, fixtures().dump(1)));
  const auto aimock = PeerProcess::start(
      {peersNode(), peersFolder() + "/@copilotkit/aimock/dist/cli.js", "-p", "0", "-f", answers.string(), "--strict"},
      {{"AIMOCK_API_KEYS", kKey}}, "listening on ");
  ASSERT_TRUE(aimock) << aimock.error().message;
  const Environment environment = {{"OPENROUTER_BASE_URL", (*aimock)->url() + "/api/v1"}, {"OPENROUTER_API_KEY", kKey}};
  const std::vector<std::string> model = {"--agent", "openrouter:openai/gpt-4o", "--yes"};

  std::vector<std::string> more = model;
  more.insert(more.end(), {"--max-iterations", "3"});
  const Outcome sums = run(optimize("column_sums", more), environment);
  ASSERT_EQ(sums.status, 0) << sums.all();
  EXPECT_EQ(sums.json["best"]["origin"], "openrouter:openai/gpt-4o fixer call 4");
  for (const char *role : {"planner", "coder", "fixer", "judge", "summarizer", "reviewer"})
    EXPECT_GE(sums.json["roles"][role]["calls"], 1) << role << ": " << sums.json["roles"];
  EXPECT_TRUE(started(sums)["config"]["recalled"].empty());
  EXPECT_THAT(run({"memory", "list"}, {}).out, HasSubstr("rows first MARK"));

  more = model;
  more.insert(more.end(), {"--max-iterations", "1"});
  const Outcome means = run(optimize("column_means", more), environment);
  ASSERT_EQ(means.status, 0) << means.all();
  const json recalled = started(means)["config"]["recalled"];
  ASSERT_EQ(recalled.size(), 1u) << recalled;
  EXPECT_EQ(recalled[0]["title"], "rows first MARK");
  EXPECT_EQ(recalled[0]["kernel"], "column_sums");
  const std::string asked = readFile(fs::path(means.json["run_dir"].get<std::string>()) / "calls.jsonl").value_or("");
  EXPECT_THAT(asked, Not(HasSubstr(kKey)));

  const std::string page = (project_.root() / "report.html").string();
  const Outcome report = run({"report", "--html", page}, {});
  ASSERT_EQ(report.status, 0) << report.all();
  const auto browser = findProgram("chromium");
  if (!browser || !fs::exists(fs::path(AGENTIC_BROWSER) / "installed"))
    GTEST_SKIP() << "chromium or playwright-core is not installed: the page is not looked at";
  const Outcome seen = runCommand({"node", "inspect.mjs", *browser, page, "some"}, kPatience, {}, AGENTIC_BROWSER);
  ASSERT_EQ(seen.status, 0) << seen.all();
  EXPECT_EQ(seen.json["errors"], json::array());
  EXPECT_EQ(seen.json["requests"], json::array());
  EXPECT_GE(seen.json["rows"], 1);
}

/// Its replies are noise: nothing is found, nothing is accepted, and every role is asked or done without.
TEST_F(Peers, AModelOfRandomWeightsEndsAsARunThatFoundNothing) {
  const fs::path folder = AGENTIC_LLAMA;
  if (!fs::exists(folder / "node_modules/node-llama-cpp"))
    GTEST_SKIP() << "node-llama-cpp is not installed (npm)";
  const std::string weights = (project_.root() / "tiny.gguf").string();
  const Outcome written = runCommand({peersNode(), (folder / "tiny_model.mjs").string(), weights});
  ASSERT_EQ(written.status, 0) << written.all();
  const auto llama =
      PeerProcess::start({peersNode(), (folder / "server.mjs").string(), weights, "32768"}, {}, "listening on ");
  ASSERT_TRUE(llama) << llama.error().message;
  const Outcome outcome = run(optimize("column_sums", {"--agent", (*llama)->url() + "#tiny-random", "--max-iterations",
                                                       "2", "--max-output-tokens", "256"}),
                              {});
  ASSERT_EQ(outcome.status, 4) << outcome.all();
  EXPECT_EQ(outcome.json["iterations"], 2);
  EXPECT_EQ(outcome.json["rejected"], (json{{"reply", 2}}));
  EXPECT_GE(outcome.json["roles"]["planner"]["calls"], 1) << outcome.json["roles"];
  EXPECT_EQ(outcome.json["roles"]["coder"]["calls"], 2) << outcome.json["roles"];
  EXPECT_TRUE(run({"memory", "list"}, {}).json["items"].empty());
}

} // namespace
} // namespace agentic::e2e
