// Tests insights: for people, kept by a run, and in a model's prompt on request.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char *kRows =
    "#include <cstddef>\n"
    "void columnSums(const float *__restrict matrix, float *__restrict sums, std::size_t rows, std::size_t columns) {\n"
    "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0.0f;\n"
    "  for (std::size_t r = 0; r < rows; ++r)\n    for (std::size_t c = 0; c < columns; ++c)\n"
    "      sums[c] += matrix[r * columns + c];\n}\n";

const std::vector<std::string> kTitles = {
    "Limits",  "Loops that are not vectorized", "Hot loop", "Instruction mix", "llvm-mca", "Hardware counters",
    "Roofline"};

std::vector<std::string> titlesOf(const nlohmann::json &insight) {
  std::vector<std::string> titles;
  for (const auto &section : insight.at("sections")) {
    titles.push_back(section.at("title"));
    EXPECT_FALSE(section.at("text").get<std::string>().empty() && section.at("note").get<std::string>().empty());
  }
  return titles;
}

class Insight : public testing::Test {
protected:
  void SetUp() override {
    project_.shortens = true;
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  Project project_{"examples/quickstart"};
};

TEST_F(Insight, OfTheKernelAndOfAFile) {
  const Outcome baseline = project_.tool({"insight", "--kernel", "column_sums"});
  ASSERT_EQ(baseline.status, 0) << baseline.all();
  EXPECT_EQ(baseline.json.at("title"), "baseline");
  EXPECT_EQ(titlesOf(baseline.json), kTitles);
  const std::string file = (project_.root() / "rows.cpp").string();
  ASSERT_TRUE(writeFileAtomic(file, kRows));
  const Outcome candidate = project_.tool({"insight", "--kernel", "column_sums", "--candidate", file});
  ASSERT_EQ(candidate.status, 0) << candidate.all();
  EXPECT_EQ(titlesOf(candidate.json), kTitles);
  EXPECT_THAT(candidate.json.at("sections")[2].at("text").get<std::string>(), HasSubstr("back to the start"));
  ASSERT_TRUE(writeFileAtomic(file, "void columnSums() { asm(\"hlt\"); }\n"));
  expectOneError(project_.tool({"insight", "--kernel", "column_sums", "--candidate", file}), 3, {"rejected by check"});
  expectOneError(project_.tool({"insight", "--kernel", "column_sums", "--candidate", "../c1"}), 1, {"neither a file"});
}

TEST_F(Insight, ARunKeepsThemAndTheModelHearsItsParts) {
  const fs::path agent = project_.root() / "agent";
  const std::string reply = "Walk the rows.\n\n```cpp rows.cpp\n" + std::string(kRows) + "```\n";
  ASSERT_TRUE(writeFileAtomic(agent / "reply.1", reply));
  ASSERT_TRUE(writeFileAtomic(agent / "reply.2", replaceAll(reply, "0.0f", "sums[c] - sums[c]")));
  ASSERT_TRUE(writeFileAtomic(agent / "agent.sh", "#!/bin/sh\nhere=$1\n"
                                                  "n=$(($(cat \"$here/count\" 2>/dev/null || echo 0) + 1))\n"
                                                  "echo $n > \"$here/count\"\ncat > \"$here/request.$n\"\n"
                                                  "cat \"$here/reply.$n\"\n"));
  fs::permissions(agent / "agent.sh", fs::perms::owner_all);
  const Outcome outcome =
      project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "2", "--no-write", "--feedback",
                     "mca,roofline", "--agent", "command:" + (agent / "agent.sh").string() + " " + agent.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const std::string request = readFile(agent / "request.2").value_or("");
  EXPECT_THAT(request, HasSubstr("Of its object code:"));
  EXPECT_THAT(request, HasSubstr("Roofline:"));
  EXPECT_THAT(request, HasSubstr("headroom: "));
  EXPECT_THAT(request, Not(HasSubstr("Hardware counters:")));
  const std::size_t begin = request.find("Of its object code:");
  EXPECT_LE(request.find("The budget that is left", begin) - begin, 4096u); // as JSON, with the text after it
  const fs::path run = outcome.json.at("run_dir").get<std::string>();
  const std::string best = outcome.json.at("best").at("candidate");
  for (const std::string &name : {std::string("baseline"), best}) {
    const auto text = readFile(run / "insights" / (name + ".json"));
    ASSERT_TRUE(text) << name;
    std::vector<std::string> titles = titlesOf(nlohmann::json::parse(*text));
    if (name == best) {
      EXPECT_EQ(titles.front(), "Why it is faster");
      titles.erase(titles.begin());
    }
    EXPECT_EQ(titles, kTitles);
  }
  const Outcome again = project_.tool({"insight", "--kernel", "column_sums", "--candidate", best.substr(0, 8)});
  EXPECT_EQ(again.status, 0) << again.all(); // also of a winner that was shortened, which is no attempt
}

TEST_F(Insight, FeedbackOfUnknownPartsIsRefused) {
  const Outcome outcome = project_.tool({"optimize", "--kernel", "column_sums", "--feedback", "mca,tea"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.all(), HasSubstr("'tea' is none of remarks, mca, counters, roofline"));
}

} // namespace
} // namespace agentic::e2e
