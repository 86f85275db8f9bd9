// A run that asks a model, here a shell script: it is told the fault of each of its files, its winner is written back,
// the recorded run replays without it, and a killed run repeats no call; with roles and compared strategies, too.
#include "tests/e2e/background.h"
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// The answers in order: one breaks a rule, one does not compile, one is wrong, one is good.
const std::vector<std::string> kReplies = {
    "Idea: remember the sums.\n\n```cpp cached.cpp\n#include <cstddef>\nstatic float cache[4];\n"
    "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n"
    "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = cache[c % 4] + matrix[rows];\n}\n```\n",
    "Walk the rows.\n\n```cpp typo.cpp\n#include <cstddef>\n"
    "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n"
    "  undeclared_helper(matrix, sums, rows, columns);\n}\n```\n",
    "<think>Perhaps ```cpp\nint columnSums;\n``` helps.</think>Skip the last row.\n\n```cpp short.cpp\n#include "
    "<cstddef>\n"
    "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n"
    "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0.0f;\n"
    "  for (std::size_t r = 0; r + 1 < rows; ++r)\n    for (std::size_t c = 0; c < columns; ++c)\n"
    "      sums[c] += matrix[r * columns + c];\n}\n```\n",
    "Walk the rows, so that columns vectorize.\n\n```cpp rows.cpp\n#include <cstddef>\n"
    "void columnSums(const float *__restrict matrix, float *__restrict sums, std::size_t rows, std::size_t columns) {\n"
    "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0.0f;\n"
    "  for (std::size_t r = 0; r < rows; ++r)\n    for (std::size_t c = 0; c < columns; ++c)\n"
    "      sums[c] += matrix[r * columns + c];\n}\n```\n"};

// Keeps its requests and its folder; answers with the file of that number.
constexpr const char *kScript = "#!/bin/sh\n"
                                "here=$1\n"
                                "n=$(($(cat \"$here/count\" 2>/dev/null || echo 0) + 1))\n"
                                "echo $n > \"$here/count\"\n"
                                "pwd > \"$here/folder.$n\"\n"
                                "cat > \"$here/request.$n\"\n"
                                "cat \"$here/reply.$n\"\n";

std::vector<nlohmann::json> linesOf(const fs::path &file) {
  std::vector<nlohmann::json> lines;
  for (const std::string &line : split(readFile(file).value_or(""), '\n'))
    if (auto entry = nlohmann::json::parse(line, nullptr, false); entry.is_object())
      lines.push_back(std::move(entry));
  return lines;
}

std::vector<nlohmann::json> eventsOf(const fs::path &file, const std::string &event) {
  std::vector<nlohmann::json> lines = linesOf(file);
  std::erase_if(lines, [&](const nlohmann::json &entry) { return entry.value("event", "") != event; });
  return lines;
}

class LlmAgent : public testing::Test {
protected:
  void SetUp() override {
    for (std::size_t i = 0; i < kReplies.size(); ++i)
      ASSERT_TRUE(writeFileAtomic(agent() / ("reply." + std::to_string(i + 1)), kReplies[i]));
    ASSERT_TRUE(writeFileAtomic(agent() / "agent.sh", kScript));
    fs::permissions(agent() / "agent.sh", fs::perms::owner_all);
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }

  fs::path agent() const { return project_.root() / "agent"; }
  std::string name() const { return "command:" + (agent() / "agent.sh").string() + " " + agent().string(); }

  static std::vector<std::string> optimize(std::vector<std::string> more) {
    const std::vector<std::string> start = {"optimize", "--kernel", "column_sums", "--max-iterations", "4"};
    more.insert(more.begin(), start.begin(), start.end());
    return more;
  }

  int asked() const { return std::atoi(readFile(agent() / "count").value_or("0").c_str()); }

  /// Returns the last message of the n-th call.
  std::string told(int n) const {
    const auto request =
        nlohmann::json::parse(readFile(agent() / ("request." + std::to_string(n))).value_or(""), nullptr, false);
    return request.is_object() ? request["messages"].back()["content"].get<std::string>() : "(no request)";
  }

  static std::vector<std::string> candidatesOf(const std::string &run) {
    std::vector<std::string> ids;
    for (const nlohmann::json &entry : eventsOf(fs::path(run) / "journal.jsonl", "evaluated"))
      ids.push_back(entry["candidate"]["id"]);
    return ids;
  }

  std::vector<fs::path> generated() const {
    std::vector<fs::path> files;
    if (fs::exists(project_.source() / "generated"))
      for (const auto &entry : fs::directory_iterator(project_.source() / "generated"))
        files.push_back(entry.path());
    return files;
  }

  void expectFeedback() const;
  Project project_{"examples/quickstart"};
};

// Each request holds the verdict on the previous reply, so it was made after that. tests/cost/loop_cost.cpp measures
// the tool's own time between the two.
void LlmAgent::expectFeedback() const {
  EXPECT_THAT(told(1), HasSubstr("rows = 512"));
  EXPECT_THAT(told(2), HasSubstr("#1 (cached.cpp) breaks rules"));
  EXPECT_THAT(told(2), HasSubstr("[state-outlives-call]"));
  EXPECT_THAT(told(2), HasSubstr("use a local variable"));
  EXPECT_THAT(told(3), HasSubstr("typo.cpp:3:3: error: use of undeclared identifier 'undeclared_helper'"));
  EXPECT_THAT(told(4), HasSubstr("#3 (short.cpp) fails the tests"));
  EXPECT_THAT(told(4), HasSubstr("ColumnSums.LargeMatrices"));
  EXPECT_THAT(told(4), HasSubstr("1 try"));
  for (int n = 1; n <= 4; ++n) {
    const std::string whole = readFile(agent() / ("request." + std::to_string(n))).value_or("");
    for (const char *hidden : {"expectColumnSums", "EXPECT_", "ASSERT_", "BM_ColumnSums", "seed"})
      EXPECT_THAT(whole, Not(HasSubstr(hidden)));
    EXPECT_THAT(whole, Not(HasSubstr(project_.root().string()))) << "a path of the user's";
    EXPECT_THAT(readFile(agent() / ("folder." + std::to_string(n))).value_or(""),
                Not(HasSubstr(project_.source().string())));
  }
}

TEST_F(LlmAgent, ProposesHearsWhyWinsAndReplays) {
  const std::string record = (project_.root() / "run.cassette").string();
  const Outcome outcome = project_.tool(optimize({"--agent", name(), "--record", record}));
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const nlohmann::json &result = outcome.json;
  EXPECT_EQ(result["rejected"], (nlohmann::json{{"check", 1}, {"compile", 1}, {"test", 1}}));
  EXPECT_EQ(result["best"]["origin"], "command:agent.sh call 4");
  EXPECT_EQ(result["model"]["answered"], 4);
  EXPECT_EQ(result["model"]["cost_usd"], 0);
  EXPECT_EQ(asked(), 4);
  expectFeedback();
  const fs::path run = result["run_dir"].get<std::string>();
  for (const auto &[file, event] : {std::pair("calls.jsonl", "reserved"),
                                    {"calls.jsonl", "settled"},
                                    {"journal.jsonl", "proposed"},
                                    {"journal.jsonl", "evaluated"}})
    EXPECT_EQ(eventsOf(run / file, event).size(), 4u) << event;

  ASSERT_EQ(generated().size(), 3u);
  for (const fs::path &file : generated()) {
    EXPECT_THAT(readFile(file).value_or(""), Not(HasSubstr(project_.root().string()))) << file;
    if (file.extension() == ".cpp") {
      EXPECT_THAT(readFile(file).value_or(""), HasSubstr("command:agent.sh call 4"));
    }
  }

  const Outcome shown = project_.tool({"show", "3", "--kernel", "column_sums"});
  ASSERT_EQ(shown.status, 0) << shown.all();
  EXPECT_THAT(shown.json["reply"]["text"].get<std::string>(), HasSubstr("Skip the last row."));
  EXPECT_THAT(shown.json["verdict"].get<std::string>(), HasSubstr("fails the tests"));
  EXPECT_EQ(shown.json["prompt"]["messages"].back()["content"], told(3));
  expectOneError(project_.tool({"show", "5", "--kernel", "column_sums"}), 1, {"4 iterations"});
  // A power cut may leave this of a request, and others may write anything.
  for (const char *damaged : {"", "{\"messages\": [42, {\"role\": 7, \"content\": []}]}", "42"}) {
    ASSERT_TRUE(writeFileAtomic(run / "calls" / "0003-1.request.json", damaged));
    const Outcome still = project_.tool({"show", "3", "--kernel", "column_sums"});
    ASSERT_EQ(still.status, 0) << still.all();
    EXPECT_THAT(still.json["verdict"].get<std::string>(), HasSubstr("fails the tests"));
    EXPECT_EQ(runCommand({toolPath(), "show", "3", "--kernel", "column_sums", "--build-dir", project_.build().string()})
                  .status,
              0);
  }

  const Outcome prompt = project_.tool({"prompt", "--kernel", "column_sums", "--agent", name(), "--blind"});
  ASSERT_EQ(prompt.status, 0) << prompt.all();
  EXPECT_EQ(prompt.json["estimate"]["worst_usd"], 0);
  EXPECT_THAT(prompt.json["body"].get<std::string>(), Not(ContainsRegex("[^-]512"))); // patterns speak of AVX-512
  EXPECT_EQ(asked(), 4) << "'prompt' asked";
  EXPECT_EQ(prompt.json["left_out"], nlohmann::json::array());

  // It runs without the script, and with measurements of its own.
  fs::remove(agent() / "agent.sh");
  const Outcome replayed = project_.tool(optimize({"--agent", "replay:" + record, "--cold", "--no-write"}));
  ASSERT_EQ(replayed.status, 0) << replayed.all();
  EXPECT_EQ(candidatesOf(replayed.json["run_dir"]), candidatesOf(run));
  EXPECT_EQ(asked(), 4);
  const fs::path replay = replayed.json["run_dir"].get<std::string>();
  for (const nlohmann::json &call : eventsOf(replay / "calls.jsonl", "settled"))
    EXPECT_EQ(call["cost_source"], "replayed");
  expectOneError(project_.tool(optimize({"--agent", "replay:" + record, "--record", record})), 1,
                 {"is the recording that is replayed"});
  // Another kernel's conversation is not answered from it.
  project_.replace("column_sums.cpp", "float sum = 0.0f;", "float sum = 0.00f;");
  expectOneError(project_.tool(optimize({"--agent", "replay:" + record, "--cold", "--no-write"})), 1,
                 {"has no answer to this request", "--record"});
}

TEST_F(LlmAgent, AKilledRunAsksNothingTwice) {
  Background job(project_.toolCommand(optimize({"--agent", name()})), project_.root() / "pid");
  const auto answered = [&] {
    const fs::path runs = project_.build() / "_agentic" / "runs";
    if (!fs::exists(runs))
      return false;
    for (const auto &entry : fs::directory_iterator(runs))
      if (eventsOf(entry.path() / "calls.jsonl", "settled").size() == 4)
        return true;
    return false;
  };
  ASSERT_TRUE(job.waitUntil(answered)) << job.finish().all();
  job.signal(SIGKILL); // while the last candidate is evaluated
  EXPECT_EQ(job.finish().status, 128 + SIGKILL);
  EXPECT_TRUE(generated().empty());

  // The journal holds no arguments of a command.
  const Outcome resumed = project_.tool(optimize({"--resume", "--agent", name()}));
  ASSERT_EQ(resumed.status, 0) << resumed.all();
  EXPECT_EQ(resumed.json["best"]["origin"], "command:agent.sh call 4");
  EXPECT_EQ(resumed.json["iterations"], 4);
  EXPECT_EQ(asked(), 4);
  EXPECT_EQ(generated().size(), 3u);
}

/// Two tries from the baseline, which are told of each other; then the question is about the better of them, whose
/// object code was described.
TEST_F(LlmAgent, IsAskedWhatTheStrategySays) {
  ASSERT_TRUE(writeFileAtomic(agent() / "reply.1", kReplies[3]));
  ASSERT_TRUE(writeFileAtomic(agent() / "reply.2", kReplies[2]));
  ASSERT_TRUE(writeFileAtomic(agent() / "reply.3", kReplies[1]));
  const Outcome outcome = project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "3", "--no-write",
                                         "--agent", name(), "--strategy", "islands=1/2/9"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_THAT(told(1), HasSubstr("Propose a file that begins with the baseline"));
  EXPECT_THAT(told(2), HasSubstr("Walk the rows, so that columns vectorize."));
  EXPECT_THAT(told(2), Not(HasSubstr("__restrict")));
  EXPECT_THAT(told(3), HasSubstr("# The file to go on from\n\n#1 (rows.cpp)"));
  EXPECT_THAT(told(3), HasSubstr("float *__restrict sums"));
  EXPECT_THAT(told(3), Not(HasSubstr("ColumnSums.LargeMatrices")));
  const fs::path journal = fs::path(outcome.json["run_dir"].get<std::string>()) / "journal.jsonl";
  const std::vector<nlohmann::json> proposed = eventsOf(journal, "proposed"),
                                    evaluated = eventsOf(journal, "evaluated");
  ASSERT_EQ(proposed.size(), 3u);
  ASSERT_EQ(evaluated.size(), 3u);
  const std::string best = evaluated[0]["candidate"]["id"];
  EXPECT_EQ(proposed[1]["ask"]["parent"], "");
  EXPECT_EQ(proposed[2]["ask"]["parent"], best);
  EXPECT_EQ(proposed[2]["ask"]["strategy"], "islands");
  EXPECT_EQ(evaluated[2]["candidate"]["parent"], best);
  EXPECT_GE(evaluated[0]["evaluation"]["traits"].size(), 2u) << evaluated[0];
  expectOneError(project_.tool(optimize({"--agent", name(), "--strategy", "baem"})), 1,
                 {"no strategy 'baem'; did you mean 'beam'?", "--strategy"});
}

/// No program answers before four of them run: asked one after the other, each would give up.
TEST_F(LlmAgent, SeveralProgramsAnswerAtOnce) {
  ASSERT_TRUE(writeFileAtomic(agent() / "agent.sh",
                              "#!/bin/sh\n"
                              "here=$1\n"
                              "n=1\n"
                              "while ! mkdir \"$here/call.$n\" 2>/dev/null; do n=$((n + 1)); done\n"
                              "cat > \"$here/request.$n\"\n"
                              "for i in $(seq 600); do [ -d \"$here/call.4\" ] || sleep 0.1; done\n"
                              "[ -d \"$here/call.4\" ] && cat \"$here/reply.$n\"\n"));
  fs::permissions(agent() / "agent.sh", fs::perms::owner_all);
  const Outcome outcome = project_.tool(optimize({"--no-write", "--agent", name(), "--parallel", "4"}));
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_EQ(outcome.json["iterations"], 4);
  const fs::path run = outcome.json["run_dir"].get<std::string>();
  const std::vector<nlohmann::json> calls = linesOf(run / "calls.jsonl");
  ASSERT_EQ(calls.size(), 8u);
  for (std::size_t i = 0; i < calls.size(); ++i)
    EXPECT_EQ(calls[i]["event"], i < 4 ? "reserved" : "settled") << i;
  EXPECT_EQ(eventsOf(run / "journal.jsonl", "evaluated").size(), 4u);
}

TEST_F(LlmAgent, AnAnswerIsUsedAlsoIfItCannotBeRecorded) {
  const fs::path folder = agent() / "recording";
  ASSERT_TRUE(createDirectories(folder));
  ASSERT_TRUE(writeFileAtomic(agent() / "agent.sh", std::string(kScript) + "rm -rf \"$here/recording\"\n"));
  ASSERT_TRUE(writeFileAtomic(agent() / "count", "2"));
  const Outcome outcome = project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "2", "--no-write",
                                         "--agent", name(), "--record", (folder / "run.jsonl").string()});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_EQ(outcome.json["model"]["answered"], 2);
  const std::string warning = "the recording ends here, and the run goes on: cannot open " + folder.string();
  EXPECT_THAT(outcome.err, HasSubstr(warning));
  EXPECT_EQ(outcome.err.find(warning), outcome.err.rfind(warning)) << "said twice";
}

TEST_F(LlmAgent, OptionsThatNoAgentHeedsAreNamed) {
  const Outcome outcome =
      project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "1", "--no-write", "--agent", "builtin",
                     "--protocol", "tools", "--blind", "--record", (project_.root() / "run.jsonl").string()});
  EXPECT_THAT(outcome.err, HasSubstr("--protocol, --blind, --record: for agents that ask a model; builtin asks none"));
  EXPECT_FALSE(fs::exists(project_.root() / "run.jsonl"));
  expectOneError(project_.tool(optimize({"--agent", "openai"})), 1, {"'openai' names no model", "openai:<model>"});
  expectOneError(project_.tool(optimize({"--agent", "comand:./ask.sh"})), 1, {"did you mean 'command'?"});
}

TEST_F(LlmAgent, WhatCannotBeAskedIsSaidBeforeAnythingIsPrepared) {
  expectOneError(project_.tool(optimize({"--agent", "command:./nothing-here"})), 1, {"nothing-here"});
  expectOneError(project_.tool(optimize({"--agent", "replay:" + (project_.root() / "none").string()})), 1, {"none"});
  expectOneError(project_.tool(optimize({"--agent", name(), "--record", "/dev/full"})), 1,
                 {"/dev/full", "no regular file", "--record"});
  const std::string source = (project_.source() / "column_sums.cpp").string();
  const std::string before = readFile(source).value();
  expectOneError(project_.tool(optimize({"--agent", name(), "--record", source})), 1,
                 {"no recording", "column_sums.cpp line 1", "name another file"});
  EXPECT_EQ(readFile(source).value(), before);
  ASSERT_TRUE(writeFileAtomic(project_.root() / "prompts" / "system.md", "Be quick."));
  expectOneError(project_.tool(optimize({"--agent", name(), "--prompt-dir", (project_.root() / "prompts").string()})),
                 1, {"system.md", "{{"});
  EXPECT_FALSE(fs::exists(project_.build() / "_agentic" / "shadow"));
  EXPECT_EQ(asked(), 0);
}

// One program in all roles: it knows which by the request.
constexpr const char *kRolesScript = R"(#!/bin/sh
here=$1
request=$(cat)
role=coder
case $request in
*'You are the planner of'*) role=planner; printf 'PLAN: walk the rows\nGAIN: 5\nWHY: columns vectorize\n' ;;
*'You are the judge of'*) role=judge; printf 'VERDICT: keep\nWHY: it looks right\n' ;;
*'You are the summarizer of'*)
  role=summarizer; printf 'TITLE: rows first\nWHAT: the loops were exchanged\nWHY: the inner one is contiguous\n' ;;
*'You are the reviewer of'*)
  role=reviewer; sed 's|^void|// Rows first, so that columns vectorize.\n&|' "$here/reply.4" ;;
*'# A file that was refused'*) role=fixer; cat "$here/reply.4" ;;
*) cat "$here/reply.2" ;;
esac
printf '%s' "$request" > "$here/request.$role"
)";

/// The coder's files never compile; the fixer's are good, and lack a comment.
TEST_F(LlmAgent, RolesPlanMendJudgeSumUpAndReview) {
  ASSERT_TRUE(writeFileAtomic(agent() / "agent.sh", kRolesScript));
  fs::permissions(agent() / "agent.sh", fs::perms::owner_all);
  const Outcome outcome =
      project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "3", "--agent", name(), "--strategy",
                     "beam=1/2/1", "--role", "planner,fixer,judge,summarizer,reviewer", "--no-shorten", "--no-write"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const nlohmann::json &roles = outcome.json["roles"];
  for (const auto &[role, calls] :
       {std::pair("planner", 1), {"coder", 2}, {"fixer", 1}, {"judge", 2}, {"summarizer", 1}, {"reviewer", 1}})
    EXPECT_EQ(roles[role]["calls"], calls) << role << ": " << roles;
  EXPECT_EQ(outcome.json["best"]["origin"], "command:agent.sh fixer call 4");
  EXPECT_THAT(outcome.json["reviewed"].get<std::string>(), HasSubstr("by command:agent.sh: "));
  EXPECT_THAT(outcome.json["reviewed"].get<std::string>(), HasSubstr("the object code is the same"));
  for (const char *role : {"planner", "coder", "fixer", "judge", "summarizer", "reviewer"}) {
    const std::string request = readFile(agent() / (std::string("request.") + role)).value_or("");
    EXPECT_NE(request, "") << role;
    for (const char *hidden : {"expectColumnSums", "EXPECT_", "ASSERT_", "BM_ColumnSums", "seed", "{{"})
      EXPECT_THAT(request, Not(HasSubstr(hidden))) << role;
  }
  const fs::path run = outcome.json["run_dir"].get<std::string>();
  const std::vector<nlohmann::json> proposed = eventsOf(run / "journal.jsonl", "proposed");
  ASSERT_EQ(proposed.size(), 3u);
  EXPECT_EQ(proposed[1]["ask"]["fixes"], proposed[0]["candidates"][0]["id"]);
  EXPECT_EQ(proposed[2]["summaries"][0]["title"], "rows first");

  const Outcome report = project_.tool({"report", "--kernel", "column_sums"});
  ASSERT_EQ(report.status, 0) << report.all();
  const nlohmann::json &shown = report.json["runs"][0];
  EXPECT_EQ(shown["strategy"], "beam");
  EXPECT_EQ(shown["roles"], roles);
  EXPECT_EQ(shown["tree"][1], (nlohmann::json{{"depth", 1}, {"iteration", 2}}))
      << "the mended file, below the broken one";
  EXPECT_EQ(shown["attempts"][0]["plan"], "walk the rows");
  EXPECT_THAT(shown["reproduce"].get<std::string>(), HasSubstr("--role fixer,judge,planner,reviewer,summarizer"));
  EXPECT_EQ(shown["reviewed"], outcome.json["reviewed"]);
  const Outcome status = project_.tool({"status"});
  EXPECT_EQ(status.json["kernels"][0]["last_roles"], roles);
  EXPECT_EQ(status.json["kernels"][0]["last_strategy"], "beam");
}

TEST_F(LlmAgent, StrategiesAreCompared) {
  const Outcome outcome = project_.tool({"compare", "--kernel", "column_sums", "--agents", name(), "--strategies",
                                         "linear,beam=1/1/1", "--max-iterations", "1", "--role", "judge"});
  const nlohmann::json &rows = outcome.json["agents"];
  ASSERT_EQ(rows.size(), 2u) << outcome.all();
  EXPECT_EQ(rows[0]["agent"], "command:agent.sh, linear");
  EXPECT_EQ(rows[1]["strategy"], "beam=1/1/1");
  for (const nlohmann::json &row : rows) {
    EXPECT_EQ(row["iterations"], 1) << row;
    EXPECT_EQ(row["roles"]["judge"]["calls"], 1) << row;
  }
}

} // namespace
} // namespace agentic::e2e
