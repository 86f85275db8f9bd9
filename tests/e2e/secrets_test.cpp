// An agent that prints the keys of its environment in its errors, its replies and its candidates: they are written
// nowhere, and its proposals are still tried.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

// Keys of a provider, of a URL's server, and of unknown owners.
const Environment kSecrets = {{"OPENAI_API_KEY", "fake-openai-0123456789"},
                              {"AGENTIC_KERNEL_API_KEY", "fake/url+0123456789"},
                              {"DEPLOY_TOKEN", "fake-deploy-0123456789"},
                              {"DB_PASSWORD", "fake \"quoted\" 0123456789"}};

// Fails once with everything that it knows; then proposes what holds the keys in its text, its name and its source.
constexpr const char *kScript = R"(#!/bin/sh
n=$(($(cat "$1/count" 2>/dev/null || echo 0) + 1))
echo $n > "$1/count"
all="$OPENAI_API_KEY $AGENTIC_KERNEL_API_KEY $DEPLOY_TOKEN $DB_PASSWORD"
if [ $n = 1 ] || [ "$2" = always ]; then
  echo "cannot log in with $all" >&2
  exit 1
fi
cat <<END
With $all the rows are walked.

\`\`\`cpp $DEPLOY_TOKEN.cpp
#include <cstddef>
// $all
void columnSums(const float *__restrict matrix, float *__restrict sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = 0.0f;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      sums[c] += matrix[r * columns + c];
}
\`\`\`
END
)";

class Secrets : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(writeFileAtomic(agent() / "agent.sh", kScript));
    fs::create_directories(out(""));
    fs::permissions(agent() / "agent.sh", fs::perms::owner_all);
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }

  fs::path agent() const { return project_.root() / "agent"; }
  fs::path out(const char *name) const { return project_.root() / "out" / name; }
  std::string name() const { return "command:" + (agent() / "agent.sh").string() + " " + agent().string(); }

  Outcome tool(const std::vector<std::string> &arguments) const {
    return runCommand(project_.toolCommand(arguments), kPatience, kSecrets);
  }

  static void expectNone(const std::string &text, const std::string &where) {
    for (const auto &[variable, value] : kSecrets)
      for (const std::string &form : {value, nlohmann::json(value).dump()})
        EXPECT_THAT(text, Not(HasSubstr(form))) << variable << " in " << where;
  }

  /// Reads all that the tool wrote: its records, the reports, the recording, the project's sources.
  void expectNothingWritten() const {
    for (const fs::path &root : {project_.root() / "build" / "_agentic", project_.root() / "out", project_.source(),
                                 project_.root() / "cache"}) {
      std::error_code absent;
      for (const auto &entry : fs::recursive_directory_iterator(root, absent))
        if (entry.is_regular_file())
          expectNone(readFile(entry.path()).value_or(""), entry.path().string());
    }
  }

  Project project_{"examples/quickstart"};
};

TEST_F(Secrets, OfTheEnvironmentAreWrittenNowhere) {
  const Outcome outcome = tool({"optimize", "--kernel", "column_sums", "--max-iterations", "1", "--agent", name(),
                                "--record", out("run.jsonl").string()});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_EQ(outcome.json["best"]["origin"], "command:agent.sh call 1");
  EXPECT_THAT(readFile(out("run.jsonl")).value_or(""), HasSubstr("[redacted]"));
  expectNone(outcome.all(), "optimize");
  const Outcome report = tool(
      {"report", "--html", out("r.html").string(), "--markdown", out("r.md").string(), "--csv", out("r.csv").string()});
  EXPECT_EQ(report.status, 0) << report.all();
  expectNone(report.all(), "report");
  const Outcome shown = tool({"show", "1", "--kernel", "column_sums"});
  EXPECT_EQ(shown.status, 0) << shown.all();
  expectNone(shown.all(), "show");
  expectNothingWritten();
}

TEST_F(Secrets, OfAnErrorThatEndsARunAreWrittenNowhere) {
  const Outcome alone = tool({"optimize", "--kernel", "column_sums", "--agent", name() + " always"});
  EXPECT_EQ(alone.status, 1);
  EXPECT_THAT(alone.err, HasSubstr("cannot log in with [redacted]"));
  expectNone(alone.all(), "optimize");
  const Outcome compared =
      tool({"compare", "--kernel", "column_sums", "--agents", name() + " always", "--csv", out("c.csv").string()});
  EXPECT_EQ(compared.status, 1);
  expectNone(compared.all(), "compare");
  expectNothingWritten();
}

} // namespace
} // namespace agentic::e2e
