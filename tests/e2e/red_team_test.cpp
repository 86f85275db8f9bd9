// Every candidate of red-team/ says in its first line what must become of it:
//
//   // expect: valid                              accepted or not faster
//   // expect: rejected                           by any stage
//   // expect: rejected check state-outlives-call by this stage, with a finding of this check
//   // expect: rejected check|audit               by one of these stages
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>

namespace agentic::e2e {
namespace {

struct Expectation {
  std::string verdict;
  std::vector<std::string> stages, checks; ///< empty = any
};

std::string textOf(const fs::path &file) {
  auto text = readFile(file);
  return text ? *text : std::string();
}

Expectation expectationOf(const std::string &text) {
  const std::string first(trim(split(text, '\n').front()));
  const std::string prefix = "// expect: ";
  if (!first.starts_with(prefix))
    return {};
  const std::vector<std::string> words = split(first.substr(prefix.size()), ' ');
  Expectation expectation{.verdict = words[0], .stages = {}, .checks = {}};
  if (words.size() > 1)
    expectation.stages = split(words[1], '|');
  if (words.size() > 2)
    expectation.checks = split(words[2], '|');
  return expectation;
}

fs::path folder() {
  return fs::path(AGENTIC_TEST_DATA) / "red-team";
}

std::vector<std::string> candidates() {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == ".cpp")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class RedTeam : public testing::TestWithParam<std::string> {
protected:
  static void SetUpTestSuite() {
    project_ = new Project("kernels");
    const Outcome configured = project_->configure();
    if (configured.status != 0)
      throw std::runtime_error("configuring kernels/ failed:\n" + configured.all());
    before_ = snapshot(project_->source());
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(snapshot(project_->source()), before_) << "evaluate changed the source tree";
    for (auto &[verdict, seconds] : seconds_) { // for the reader; timings are not asserted
      std::sort(seconds.begin(), seconds.end());
      std::cout << "median seconds of an evaluate process, " << verdict << ": " << seconds[seconds.size() / 2] << " ("
                << seconds.size() << " candidates)\n";
    }
    delete project_;
  }

  static Project *project_;
  static std::map<std::string, std::string> before_;
  static std::map<std::string, std::vector<double>> seconds_; ///< by verdict and stage
};
Project *RedTeam::project_ = nullptr;
std::map<std::string, std::string> RedTeam::before_;
std::map<std::string, std::vector<double>> RedTeam::seconds_;

bool contains(const std::vector<std::string> &words, const std::string &word) {
  return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

void expectRejected(const Outcome &outcome, const Expectation &expected, std::size_t lines) {
  const nlohmann::json &result = outcome.json;
  EXPECT_EQ(result["verdict"], "rejected");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_TRUE(contains(expected.stages, result["stage"])) << "rejected by " << result["stage"];
  bool named = expected.checks.empty();
  for (const auto &finding : result["findings"]) {
    named = named || contains(expected.checks, finding["check"]);
    EXPECT_NE(finding["message"], "");
    EXPECT_LE(finding["line"].get<std::size_t>(), lines) << finding;
  }
  EXPECT_TRUE(named) << "no finding of the check that should see it";
  if (result["stage"] == "check")
    EXPECT_FALSE(result["findings"].empty());
  else
    EXPECT_NE(result["detail"].get<std::string>() + result["findings"].dump(), "[]") << "no reason given";
}

TEST_P(RedTeam, MeetsItsExpectation) {
  const fs::path file = folder() / (GetParam() + ".cpp");
  const std::string text = textOf(file);
  const Expectation expected = expectationOf(text);
  ASSERT_TRUE(expected.verdict == "valid" || expected.verdict == "rejected") << "no expectation in the first line";

  const Outcome outcome = project_->tool({"evaluate", "--kernel", "binary_gemm", file.string()});
  SCOPED_TRACE(outcome.all());
  ASSERT_TRUE(outcome.json.is_object()) << "the last line on stdout is no JSON object";
  ASSERT_FALSE(outcome.json.contains("error"));
  EXPECT_EQ(outcome.json["kernel"], "binary_gemm");
  const std::string verdict = outcome.json["verdict"], stage = outcome.json["stage"];
  seconds_[verdict + " by " + stage].push_back(outcome.seconds);
  if (expected.verdict == "rejected") {
    expectRejected(outcome, expected, static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
    return;
  }
  EXPECT_NE(verdict, "rejected");
  EXPECT_EQ(outcome.status, verdict == "accepted" ? 0 : 4);
  EXPECT_EQ(stage, "benchmark");
  EXPECT_TRUE(outcome.json["findings"].empty());
  EXPECT_GT(outcome.json["speedup"]["ratio"].get<double>(), 0);
}

INSTANTIATE_TEST_SUITE_P(Candidates, RedTeam, testing::ValuesIn(candidates()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace agentic::e2e
