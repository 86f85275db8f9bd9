// Tests what the tool says about a project whose tests would let wrong candidates pass.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace agentic::e2e {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// It uses one small matrix of equal elements, a wide tolerance, and only the beginning of the result.
constexpr const char *kWeakTest = R"(#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns);

TEST(ColumnSums, Something) {
  std::vector<float> matrix(8 * 8, 1.5f), sums(64, 0.0f);
  columnSums(matrix.data(), sums.data(), 8, 8);
  EXPECT_NEAR(sums[0], 12.0f, 0.5f);
  EXPECT_NEAR(sums[1], 12.0f, 0.5f);
}
)";

class AdequacyOfTests : public testing::Test {
protected:
  void configure() {
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  void weaken() { project_.write("column_sums_test.cpp", kWeakTest); }

  static std::set<std::string> survivingKinds(const nlohmann::json &kernel) {
    std::set<std::string> kinds;
    for (const auto &mutant : kernel.at("mutants"))
      if (!mutant.at("killed"))
        kinds.insert(mutant.at("kind").get<std::string>());
    return kinds;
  }

  Project project_{"examples/quickstart"};
};

TEST_F(AdequacyOfTests, GoodTestsNoticeEveryFault) {
  configure();
  const Outcome outcome = project_.tool({"adequacy", "--require-adequate", "100%"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const auto &kernel = outcome.json.at("kernels").at(0);
  EXPECT_EQ(kernel.at("kernel"), "column_sums");
  EXPECT_GE(kernel.at("total"), 15);
  EXPECT_EQ(kernel.at("killed"), kernel.at("total")) << outcome.out;
  EXPECT_EQ(kernel.at("not_tried"), 0);
  EXPECT_THAT(survivingKinds(kernel), IsEmpty());
}

TEST_F(AdequacyOfTests, WeakTestsAreNamedAndDoNotBlock) {
  weaken();
  configure();
  const Outcome listed = project_.tool({"adequacy"});
  ASSERT_EQ(listed.status, 0) << listed.all();
  const auto &kernel = listed.json.at("kernels").at(0);
  const auto kinds = survivingKinds(kernel);
  for (const char *kind : {"last element", "first rows", "narrowed", "stale output", "off by one"})
    EXPECT_THAT(kinds, Contains(kind)) << listed.out;
  EXPECT_THAT(kinds, Not(Contains("zeros")));
  for (const auto &mutant : kernel.at("mutants")) {
    EXPECT_EQ(mutant.at("killed").get<bool>(), mutant.at("suggestion").get<std::string>().empty()) << mutant;
    EXPECT_EQ(mutant.at("killed").get<bool>(), !mutant.at("killed_by").get<std::string>().empty()) << mutant;
    if (mutant.at("change") == "`c < columns` becomes `c + 1 < columns`") {
      EXPECT_EQ(mutant.at("line"), 10);
      EXPECT_EQ(mutant.at("column"), 27);
    }
  }

  const Outcome run = project_.tool({"optimize", "--no-write", "--max-iterations", "1"});
  EXPECT_NE(run.status, 1) << run.all();
  EXPECT_THAT(run.err, HasSubstr("warning: the tests of kernel 'column_sums' notice "));
  EXPECT_THAT(run.err, HasSubstr("\n  column_sums.cpp:"));
  EXPECT_THAT(run.err, HasSubstr("agentic-kernel adequacy"));
  const auto journal = readFile(run.json.at("run_dir").get<std::string>() + "/journal.jsonl");
  ASSERT_TRUE(journal);
  const auto started = nlohmann::json::parse(split(*journal, '\n').front());
  const std::string score =
      std::to_string(kernel.at("killed").get<int>()) + "/" + std::to_string(kernel.at("total").get<int>());
  EXPECT_EQ(started.at("config").at("adequacy"), score);
}

// No test has that many rows, and no call that is generated: of what is compared, only names are tried.
TEST_F(AdequacyOfTests, CodeThatNothingRunsIsSaidBeforeTheSearch) {
  project_.replace("column_sums.cpp", "  for (std::size_t c = 0; c < columns; ++c) {",
                   "  if (rows / 3 > 41152263)\n    return;\n  for (std::size_t c = 0; c < columns; ++c) {");
  configure();
  EXPECT_THAT(project_.tool({"status"}).json.at("kernels").at(0).at("uncovered"), nullptr) << "nothing is known";
  const Outcome run = project_.tool({"optimize", "--no-write", "--max-iterations", "1"});
  const std::string sentence = "no test, recorded call or generated call runs 1 of 5 places of the unchanged kernel "
                               "(column_sums.cpp:10:3: branch of the if), and a winner that keeps such code is not "
                               "written back: add a test that runs it, let AGENTIC_REQUIRES exclude what it is for, or "
                               "pass --allow-uncovered";
  const std::size_t at = run.err.find("warning: " + sentence);
  ASSERT_NE(at, std::string::npos) << run.all();
  EXPECT_EQ(run.err.find(sentence, at + 10), std::string::npos) << "it is said once";
  EXPECT_LT(at, run.err.find("[  1]")) << "it is said before the search";
  EXPECT_EQ(project_.tool({"status"}).json.at("kernels").at(0).at("uncovered"), sentence);
  EXPECT_EQ(project_.tool({"report"}).json.at("runs").at(0).at("uncovered"), sentence);
  const Outcome doctor = project_.tool({"doctor", "--offline"});
  EXPECT_THAT(doctor.out, HasSubstr("column_sums: " + sentence));

  const Outcome allowed = project_.tool({"optimize", "--no-write", "--max-iterations", "1", "--allow-uncovered"});
  EXPECT_THAT(allowed.err, Not(HasSubstr(sentence)));
}

TEST_F(AdequacyOfTests, WeakTestsStopWhatRequiresBetterOnes) {
  weaken();
  configure();
  const auto before = snapshot(project_.source());
  project_.write("../candidate.cpp", "void columnSums(const float *, float *, std::size_t, std::size_t) {}\n");
  const std::string candidate = (project_.source() / "../candidate.cpp").string();
  for (const std::vector<std::string> &command : {std::vector<std::string>{"optimize", "--kernel", "column_sums"},
                                                  {"evaluate", "--kernel", "column_sums", candidate},
                                                  {"apply", "--kernel", "column_sums", candidate},
                                                  {"suite"},
                                                  {"adequacy"}}) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"--require-adequate", "90"});
    const Outcome outcome = project_.tool(words);
    expectOneError(outcome, 1, {"column_sums", "--require-adequate asks for 90 %", "column_sums.cpp:10:"});
    EXPECT_THAT(outcome.err, Not(HasSubstr("[  1]"))) << "something was searched";
  }
  EXPECT_EQ(snapshot(project_.source()), before);
  EXPECT_TRUE(!fs::exists(project_.build() / "_agentic/runs") || fs::is_empty(project_.build() / "_agentic/runs"));
  expectOneError(project_.tool({"optimize", "--require-adequate", "most"}), 1, {"most"});
}

TEST_F(AdequacyOfTests, IsFoundOutOnce) {
  configure();
  const Outcome first = project_.tool({"adequacy", "--timings"});
  ASSERT_EQ(first.status, 0) << first.all();
  const fs::path cache = project_.build() / "_agentic/cache/column_sums";
  std::string file;
  for (const auto &entry : fs::directory_iterator(cache))
    if (entry.path().filename().string().starts_with("adequacy-"))
      file = entry.path().string();
  ASSERT_FALSE(file.empty());
  const auto written = fs::last_write_time(file);
  const Outcome second = project_.tool({"adequacy"});
  EXPECT_EQ(second.json, first.json);
  EXPECT_EQ(fs::last_write_time(file), written) << "it was found out again";
  // With more mutants: those that were tried are not tried again, and the first remain the first.
  const Outcome more = project_.tool({"adequacy", "--mutants", "30"});
  ASSERT_EQ(more.status, 0) << more.all();
  EXPECT_NE(fs::last_write_time(file), written);
  EXPECT_GT(more.json["kernels"][0]["total"], 0);
  EXPECT_EQ(more.json["kernels"][0]["mutants"][0], first.json["kernels"][0]["mutants"][0]);
}

} // namespace
} // namespace agentic::e2e
