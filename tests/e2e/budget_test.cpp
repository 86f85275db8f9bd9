// Tests money: one budget for all runs of a command, also if one is killed and resumed; and the question before
// anything is sent to a host that may bill for it.
#include "tests/e2e/background.h"
#include "tests/e2e/project.h"
#include "tests/llm/loopback_server.h"

#include "tool/base/text.h"
#include "tool/build/host.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace agentic::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// Takes $2 a call, for a reply without a file. If there is a file hold.N, call N says so and does not answer, for a
// minute at most.
constexpr const char *kScript = R"(#!/bin/sh
n=$(($(cat "$1/count" 2>/dev/null || echo 0) + 1))
echo $n > "$1/count"
cat > "$1/request.$n"
i=0
while [ -e "$1/hold.$n" ] && [ $i -lt 600 ]; do
  : > "$1/held.$n"; sleep 0.1; i=$((i + 1))
done
echo '{"text": "I would block the loop.", "usage": {"cost_usd": 2}}'
)";

class Budget : public testing::Test {
protected:
  fs::path agent() const { return project_.root() / "agent"; }
  std::string name() const { return "command:" + (agent() / "spend.sh").string() + " " + agent().string(); }
  int asked() const { return std::atoi(readFile(agent() / "count").value_or("0").c_str()); }
  /// Returns the budget that the n-th call was told.
  double toldUsd(int n) const {
    const json request = json::parse(readFile(agent() / ("request." + std::to_string(n))).value_or(""), nullptr, false);
    return request.is_object() ? request.value("budget_usd", -1.0) : -1;
  }
  void configure() const {
    ASSERT_TRUE(writeFileAtomic(agent() / "spend.sh", kScript));
    fs::permissions(agent() / "spend.sh", fs::perms::owner_all);
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }

  void expectKilledAt(int call, const std::vector<std::string> &command) const {
    const fs::path hold = agent() / ("hold." + std::to_string(call)), held = agent() / ("held." + std::to_string(call));
    ASSERT_TRUE(writeFileAtomic(hold, ""));
    Background job(project_.toolCommand(command), project_.root() / ("pid" + std::to_string(call)));
    ASSERT_TRUE(job.waitUntil([&] { return fs::exists(held); }, 400)) << job.finish().all();
    job.signal(SIGKILL);
    fs::remove(hold);
    EXPECT_EQ(job.finish().status, 128 + SIGKILL);
  }

  Project project_{"examples/quickstart"};
};

TEST_F(Budget, IsOfAllLevelsTogetherAlsoWhenItIsKilledAndResumed) {
  for (const char *name : {"x86-64-v2", "x86-64-v3"})
    if (const Level *level = findLevel(name); !level || !hasLevel(hostCpu(), *level))
      GTEST_SKIP() << "this machine has not both levels";
  project_.replace("CMakeLists.txt", "add_compile_options(-march=native)", "");
  project_.replace("CMakeLists.txt", "VARIANT_DIR generated",
                   "ARCHITECTURES x86-64-v2 x86-64-v3\n  VARIANT_DIR generated");
  configure();
  const std::vector<std::string> resume = {"optimize", "--kernel",         "column_sums", "--agent",
                                           name(),     "--max-iterations", "2",           "--resume"};
  std::vector<std::string> start = resume;
  start.back() = "--budget-usd=8.5";
  // A call without an answer when its run is killed may have cost as much as the costliest one before it.
  expectKilledAt(2, start);  // the second one of the first level
  expectKilledAt(4, resume); // the first one of the second level
  expectOneError(project_.tool(resume, 600), 1,
                 {"the dollar budget is spent: $8.00 of $8.50", "the next call may cost $2.00"});
  EXPECT_EQ(asked(), 4);
  EXPECT_EQ(toldUsd(1), 8.5);
  EXPECT_EQ(toldUsd(2), 6.5);
  EXPECT_EQ(toldUsd(3), 4.5);
  EXPECT_EQ(toldUsd(4), 2.5);
}

TEST_F(Budget, ThatIsPassedIsSaidAlsoWhenQuiet) {
  configure();
  const std::vector<std::string> command = {"optimize", "--kernel",     "column_sums", "--agent",          name(),
                                            "--quiet",  "--budget-usd", "1",           "--max-iterations", "3"};
  const Outcome outcome = project_.tool(command, 600);
  EXPECT_EQ(outcome.status, 4) << outcome.all();
  std::string warnings; // but for that of a noisy machine, which may be one
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);)
    warnings += line.starts_with("warning: timings on this machine") ? "" : line + "\n";
  EXPECT_EQ(warnings, "warning: command:spend.sh reports that the call cost $2.00, more than the $1.00 that were left "
                      "of the budget\n");
  EXPECT_EQ(asked(), 1);
}

/// Serves the requested models, and nothing else.
void serveModels(const ServedRequest &request, Served &served) {
  if (request.target.ends_with("/models"))
    served.answer(200, R"({"data": [{"id": "a"}, {"id": "b"}]})");
  else
    served.answer(500, R"({"error": {"message": "nothing was to be sent"}})");
}

TEST_F(Budget, IsAgreedToByHostWithEveryoneNamed) {
  configure();
  LoopbackServer first(serveModels), second(serveModels);
  const auto hostOf = [](const LoopbackServer &server) { return server.url().substr(std::string("http://").size()); };
  const fs::path cache = project_.root() / "cache";
  const Environment environment = {{"OPENAI_BASE_URL", first.url() + "/v1"},
                                   {"GROQ_BASE_URL", second.url() + "/v1"},
                                   {"XDG_CACHE_HOME", cache.string()}};
  const auto run = [&](const std::vector<std::string> &arguments) {
    return runCommand(project_.toolCommand(arguments), 300, environment);
  };
  const std::vector<std::string> optimize = {"optimize", "--kernel", "column_sums", "--agent", "openai:a,groq:b"};
  expectOneError(run(optimize), 1,
                 {"openai:a (" + hostOf(first) + "), groq:b (" + hostOf(second) + ")", "up to $5.00;", "--yes"});
  const Outcome compared =
      run({"compare", "--kernel", "column_sums", "--agents", "openai:a,groq:b", "--budget-usd", "3"});
  EXPECT_THAT(compared.err, HasSubstr("up to $6.00: $3.00 for each of 2 agents"));

  ASSERT_TRUE(
      writeFileAtomic(cache / "agentic-kernel" / "paid-projects.txt",
                      project_.source().string() + "\n" + project_.source().string() + "\t" + hostOf(first) + "\n"));
  const Outcome other = run(optimize);
  expectOneError(other, 1, {"groq:b (" + hostOf(second) + ")"});
  EXPECT_THAT(other.err, Not(HasSubstr("openai:a (")));
  for (const LoopbackServer *server : {&first, &second})
    for (const ServedRequest &request : server->requests())
      EXPECT_EQ(request.method, "GET") << request.target;
}

} // namespace
} // namespace agentic::e2e
