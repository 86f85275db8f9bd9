// Several agents on one kernel: in one run, in turn, killed and resumed; each in a run of its own, compared; and the
// same job with everything compiled at -O0.
#include "tests/e2e/background.h"
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kHead =
    "#include <cstddef>\n"
    "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n";

std::string reply(const std::string &name, const std::string &body) {
  return "Try this.\n\n```cpp " + name + "\n" + kHead + body + "}\n```\n";
}

const std::string kTypo = reply("typo.cpp", "  undeclared_helper(matrix, sums, rows, columns);\n");
const std::string kTypo2 = reply("typo2.cpp", "  other_helper(matrix, sums, rows, columns);\n");
const std::string kShort = reply("short.cpp", "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0.0f;\n"
                                              "  (void)matrix;\n  (void)rows;\n");
const std::string kRows = reply("rows.cpp", "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0.0f;\n"
                                            "  for (std::size_t r = 0; r < rows; ++r)\n"
                                            "    for (std::size_t c = 0; c < columns; ++c)\n"
                                            "      sums[c] += matrix[r * columns + c];\n");

// Four rows for each pass over the sums, which no single move makes of the function as written.
const std::string kFourRows = reply("four.cpp", "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0.0f;\n"
                                                "  std::size_t r = 0;\n"
                                                "  for (; r + 4 <= rows; r += 4)\n"
                                                "    for (std::size_t c = 0; c < columns; ++c) {\n"
                                                "      float sum = sums[c];\n"
                                                "      sum += matrix[r * columns + c];\n"
                                                "      sum += matrix[(r + 1) * columns + c];\n"
                                                "      sum += matrix[(r + 2) * columns + c];\n"
                                                "      sum += matrix[(r + 3) * columns + c];\n"
                                                "      sums[c] = sum;\n    }\n"
                                                "  for (; r < rows; ++r)\n"
                                                "    for (std::size_t c = 0; c < columns; ++c)\n"
                                                "      sums[c] += matrix[r * columns + c];\n");

// Answers with the file of the call's number, and later with the last one. If there is a file hold.N, call N says so
// and does not answer while it exists.
constexpr const char *kScript = "#!/bin/sh\n"
                                "n=$(($(cat \"$1/count\" 2>/dev/null || echo 0) + 1))\n"
                                "echo $n > \"$1/count\"\n"
                                "cat > \"$1/request.$n\"\n"
                                "while [ -e \"$1/hold.$n\" ]; do : > \"$1/held\"; sleep 0.1; done\n"
                                "cat \"$1/reply.$n\" 2>/dev/null || cat \"$1/reply.2\"\n";

std::vector<nlohmann::json> events(const fs::path &run, const std::string &event) {
  std::vector<nlohmann::json> found;
  for (const std::string &line : split(readFile(run / "journal.jsonl").value_or(""), '\n'))
    if (auto entry = nlohmann::json::parse(line, nullptr, false);
        entry.is_object() && entry.value("event", "") == event)
      found.push_back(std::move(entry));
  return found;
}

fs::path onlyFolder(const fs::path &folder) {
  fs::path found;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(folder, ignored))
    if (entry.is_directory(ignored))
      found = entry.path();
  return found;
}

class Agents : public testing::Test {
protected:
  void SetUp() override {
    addAgent("one", {kTypo, kRows});
    addAgent("two", {kTypo2, kShort});
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }

  void addAgent(const std::string &name, const std::vector<std::string> &replies) const {
    const fs::path folder = project_.root() / name;
    for (std::size_t i = 0; i < replies.size(); ++i)
      ASSERT_TRUE(writeFileAtomic(folder / ("reply." + std::to_string(i + 1)), replies[i]));
    ASSERT_TRUE(writeFileAtomic(folder / (name + ".sh"), kScript));
    fs::permissions(folder / (name + ".sh"), fs::perms::owner_all);
  }

  std::string agent(const std::string &name) const {
    const std::string folder = (project_.root() / name).string();
    return "command:" + folder + "/" + name + ".sh " + folder;
  }
  int asked(const std::string &name) const {
    return std::atoi(readFile(project_.root() / name / "count").value_or("0").c_str());
  }
  fs::path agentic() const { return project_.build() / "_agentic"; }
  bool isUntouched() const { return !fs::exists(project_.source() / "generated"); }

  nlohmann::json comparison() const {
    return nlohmann::json::parse(readFile(onlyFolder(agentic() / "compare") / "compare.json").value_or(""), nullptr,
                                 false);
  }
  std::string stateOf(std::size_t row) const {
    const nlohmann::json file = comparison();
    return file.is_object() ? file["runs"][row]["state"].get<std::string>() : "";
  }

  Project project_{"examples/quickstart"};
};

TEST_F(Agents, TakeTurnsInOneRunThatIsKilledAndResumed) {
  const std::vector<std::string> command = {
      "optimize",  "--kernel", "column_sums", "--max-iterations", "4", "--agent", agent("one") + "," + agent("two"),
      "--no-write"};
  // It is killed while the third call, the second of "one", has no answer yet.
  const fs::path hold = project_.root() / "one" / "hold.2";
  ASSERT_TRUE(writeFileAtomic(hold, ""));
  Background job(project_.toolCommand(command), project_.root() / "pid");
  const auto isHeld = [&] { return fs::exists(project_.root() / "one" / "held"); };
  ASSERT_TRUE(job.waitUntil(isHeld)) << job.finish().all();
  job.signal(SIGKILL);
  fs::remove(hold);
  EXPECT_EQ(job.finish().status, 128 + SIGKILL);

  const Outcome refused = project_.tool({"optimize", "--kernel", "column_sums", "--no-write", "--resume"});
  expectOneError(refused, 1, {"without its arguments", "--agent"});
  std::vector<std::string> resume = command;
  resume.push_back("--resume");
  const Outcome resumed = project_.tool(resume);
  ASSERT_EQ(resumed.status, 0) << resumed.all();
  EXPECT_EQ(resumed.json["iterations"], 4);
  EXPECT_EQ(asked("one"), 3) << "only the call that had no answer is made again";
  EXPECT_EQ(asked("two"), 2);
  EXPECT_EQ(resumed.json["best"]["origin"], "command:one.sh call 3");
  const fs::path run = resumed.json["run_dir"].get<std::string>();
  std::vector<std::string> turns;
  for (const nlohmann::json &proposed : events(run, "proposed"))
    turns.push_back(proposed["agent"]);
  EXPECT_THAT(turns, ElementsAre("command:one.sh", "command:two.sh", "command:one.sh", "command:two.sh"));
  ASSERT_EQ(resumed.json["agents"].size(), 2u);
  EXPECT_EQ(resumed.json["agents"][1]["agent"], "command:two.sh");
  EXPECT_EQ(resumed.json["agents"][1]["model"]["answered"], 2);
  EXPECT_TRUE(fs::exists(run / "agents" / "2" / "calls.jsonl"));
  EXPECT_FALSE(fs::exists(run / "calls.jsonl"));
  EXPECT_THAT(readFile(run / "journal.jsonl").value_or(""), Not(HasSubstr((project_.root() / "one").string())))
      << "a command's arguments are in the journal";
  // The second agent was shown the best, which the first had made.
  EXPECT_THAT(readFile(project_.root() / "two" / "request.2").value_or(""), HasSubstr("sums[c] += matrix"));
  const Outcome shown = project_.tool({"show", "2", "--kernel", "column_sums"});
  ASSERT_EQ(shown.status, 0) << shown.all();
  EXPECT_THAT(shown.json["reply"]["text"].get<std::string>(), HasSubstr("typo2.cpp"));
}

TEST_F(Agents, TheBuiltinSearchBeginsAndPolishes) {
  addAgent("three", {kTypo, kFourRows});
  expectOneError(project_.tool({"optimize", "--kernel", "column_sums", "--seed-with", "builtin", "--agent", "builtin"}),
                 1, {"--seed-with", "leave one of them out"});
  const Outcome outcome = project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "10", "--agent",
                                         agent("three"), "--seed-with", "builtin", "--no-write"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const fs::path run = outcome.json["run_dir"].get<std::string>();
  std::vector<std::string> turns;
  for (const nlohmann::json &proposed : events(run, "proposed"))
    turns.push_back(proposed["agent"]);
  ASSERT_GE(turns.size(), 3u);
  EXPECT_EQ(turns[0], "builtin");
  EXPECT_EQ(turns[1], "command:three.sh") << "four candidates are the seed of ten";
  EXPECT_THAT(readFile(project_.root() / "three" / "request.1").value_or(""), HasSubstr("Tried before you"));
  EXPECT_EQ(outcome.json["agents"][1]["agent"], "builtin");
  EXPECT_GE(outcome.json["agents"][1]["candidates"], 4);
  // The machine decides whether the reply beats the seed; if it does, moves are tried on it.
  std::string bestBefore;
  bool isPolished = false;
  for (const nlohmann::json &attempt : events(run, "evaluated")) {
    const std::string origin = attempt["candidate"]["origin"];
    isPolished = isPolished || origin.starts_with("polish of ");
    if (!isPolished && attempt.value("incumbent", false))
      bestBefore = origin;
  }
  EXPECT_EQ(isPolished, bestBefore.starts_with("command:")) << bestBefore << "\n" << outcome.all();
  const Outcome report = project_.tool({"report", "--kernel", "column_sums"});
  EXPECT_THAT(report.json["runs"][0]["reproduce"].get<std::string>(), HasSubstr("--seed-with builtin"));
}

TEST_F(Agents, AreComparedAndAKilledComparisonGoesOn) {
  const std::string agents = agent("one") + ",command:./nothing-here,builtin";
  const std::string csv = (project_.root() / "t.csv").string(), markdown = (project_.root() / "t.md").string();
  const std::vector<std::string> command = {
      "compare", "--kernel", "column_sums", "--agents", agents, "--max-iterations", "2", "--csv", csv, "--markdown",
      markdown};
  Background job(project_.toolCommand(command), project_.root() / "pid");
  ASSERT_TRUE(job.waitUntil([&] { return stateOf(2) == "running"; })) << job.finish().all();
  job.signal(SIGKILL);
  EXPECT_EQ(job.finish().status, 128 + SIGKILL);
  EXPECT_EQ(stateOf(0), "done");
  EXPECT_EQ(asked("one"), 2);

  expectOneError(project_.tool({"compare", "--kernel", "column_sums", "--resume", "--agents", "builtin"}), 1,
                 {"other agents"});
  std::vector<std::string> resume = command;
  resume.push_back("--resume");
  const Outcome resumed = project_.tool(resume);
  ASSERT_EQ(resumed.status, 0) << resumed.all();
  ASSERT_EQ(resumed.json["agents"].size(), 3u);
  const nlohmann::json &one = resumed.json["agents"][0], &none = resumed.json["agents"][1],
                       &builtin = resumed.json["agents"][2];
  EXPECT_EQ(asked("one"), 2) << "what was done is not done again";
  EXPECT_EQ(one["state"], "done");
  EXPECT_TRUE(one["speedup"].is_object()) << one; // of its second reply, 20 times as fast and more
  EXPECT_EQ(one["iterations"], 2);
  EXPECT_EQ(one["iterations_to_peak"], 2);
  EXPECT_EQ(one["rejected"], (nlohmann::json{{"compile", 1}}));
  EXPECT_EQ(none["state"], "failed");
  EXPECT_THAT(none["reason"].get<std::string>(), HasSubstr("nothing-here"));
  EXPECT_EQ(builtin["state"], "done");
  EXPECT_EQ(builtin["iterations"], 2);
  EXPECT_TRUE(isUntouched());
  EXPECT_THAT(readFile(csv).value_or(""), HasSubstr("\ncommand:one.sh,done,"));
  EXPECT_THAT(readFile(markdown).value_or(""), HasSubstr("builtin"));
  EXPECT_THAT(readFile(onlyFolder(agentic() / "compare") / "compare.json").value_or(""),
              Not(HasSubstr(project_.root().string() + "/one ")));
}

TEST_F(Agents, AnExperimentWithoutOptimizationIsCompiledSoAndLeavesNothing) {
  const Outcome outcome = project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "2", "--agent",
                                         agent("one"), "--optimization", "O0"});
  EXPECT_EQ(outcome.json["optimization"], "O0") << outcome.all();
  EXPECT_EQ(outcome.json["iterations"], 2) << outcome.all();
  EXPECT_THAT(outcome.err, HasSubstr("nothing will be written back"));
  EXPECT_TRUE(isUntouched());
  const fs::path tree = agentic() / "optimization" / "O0" / "_agentic";
  const std::string commands =
      readFile(tree / "shadow" / "column_sums" / "hook" / "compile_commands.json").value_or("");
  EXPECT_THAT(commands, HasSubstr(" -O0 "));
  EXPECT_THAT(commands, Not(HasSubstr(" -O3 ")));
  // The candidates' compile flags come from there, and the model is told so.
  EXPECT_THAT(readFile(project_.root() / "one" / "request.1").value_or(""), HasSubstr("-O0"));
  const auto started = events(onlyFolder(tree / "runs"), "run-started");
  ASSERT_EQ(started.size(), 1u);
  EXPECT_EQ(started[0]["config"]["optimization"], "O0");
  EXPECT_FALSE(fs::exists(agentic() / "runs")) << "mixed with the runs of the project's own build";
}

TEST_F(Agents, WhatTheProjectSetsItselfIsNotReplaced) {
  std::string text = project_.read("CMakeLists.txt");
  project_.write("CMakeLists.txt",
                 text + "\nset_source_files_properties(column_sums.cpp PROPERTIES COMPILE_OPTIONS -O2)\n");
  expectOneError(project_.tool({"optimize", "--kernel", "column_sums", "--optimization", "O0"}), 1,
                 {"-O2", "sets", "--optimization"});
}

} // namespace
} // namespace agentic::e2e
