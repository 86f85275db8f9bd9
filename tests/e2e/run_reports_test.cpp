// What `optimize` said of a run, and what every form of its report says: the same numbers.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <cmath>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char *kRows =
    "#include <cstddef>\n"
    "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n"
    "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0.0f;\n"
    "  for (std::size_t r = 0; r < rows; ++r)\n    for (std::size_t c = 0; c < columns; ++c)\n"
    "      sums[c] += matrix[r * columns + c];\n}\n";

constexpr const char *kAgent = "#!/bin/sh\n"
                               "n=$(($(cat \"$1/count\" 2>/dev/null || echo 0) + 1))\n"
                               "echo $n > \"$1/count\"\ncat >/dev/null\n"
                               "cat \"$1/reply.$n\"\n";

std::string fence(const std::string &text) {
  return "```cpp\n" + text + "```\n";
}

/// "2.00x [1.90, 2.10]"
std::string ratioText(const json &speedup) {
  char text[100];
  std::snprintf(text, sizeof text, "%.2fx [%.2f, %.2f]", speedup.at("ratio").get<double>(),
                speedup.at("low").get<double>(), speedup.at("high").get<double>());
  return text;
}

class RunReports : public testing::Test {
protected:
  void SetUp() override {
    const fs::path agent = project_.root() / "agent";
    ASSERT_TRUE(
        writeFileAtomic(agent / "reply.1", fence("void columnSums() { <script>alert(1)</script> @someone #1 }\n")));
    ASSERT_TRUE(writeFileAtomic(agent / "reply.2", fence(kRows)));
    ASSERT_TRUE(writeFileAtomic(agent / "agent.sh", kAgent));
    fs::permissions(agent / "agent.sh", fs::perms::owner_all);
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
    said_ = project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "2", "--agent",
                           "command:" + (agent / "agent.sh").string() + " " + agent.string()});
    ASSERT_EQ(said_.status, 0) << said_.all();
  }

  std::string file(const std::string &name) const { return (project_.root() / name).string(); }

  Project project_{"examples/quickstart"};
  Outcome said_;
};

void expectAttemptsAgree(const json &attempts, const std::string &csv) {
  const std::vector<std::string> lines = split(csv, '\n');
  ASSERT_GE(lines.size(), attempts.size() + 1);
  EXPECT_EQ(lines[0].substr(0, 114),
            "kernel,agent,iteration,candidate,verdict,stage,time_ns,speedup,low,high,tokens_in,"
            "tokens_out,cost_usd,wall_seconds");
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i + 1], ',');
    ASSERT_GE(cells.size(), 14u) << lines[i + 1];
    EXPECT_EQ(cells[2], std::to_string(attempts[i].at("iteration").get<int>()));
    EXPECT_EQ(cells[3], attempts[i].at("candidate").get<std::string>());
    EXPECT_EQ(cells[4], attempts[i].at("verdict").get<std::string>());
    if (attempts[i].at("speedup").is_null()) {
      EXPECT_EQ(cells[6] + cells[7] + cells[8] + cells[9], "");
      continue;
    }
    EXPECT_NEAR(std::stod(cells[6]) / attempts[i].at("time_ns").get<double>(), 1, 1e-5);
    const json &speedup = attempts[i].at("speedup");
    EXPECT_NEAR(std::stod(cells[7]) / speedup.at("ratio").get<double>(), 1, 1e-5);
    EXPECT_NEAR(std::stod(cells[8]) / speedup.at("low").get<double>(), 1, 1e-5);
    EXPECT_NEAR(std::stod(cells[9]) / speedup.at("high").get<double>(), 1, 1e-5);
  }
}

TEST_F(RunReports, AllOutputsAgreeOnEveryNumber) {
  const Outcome reported =
      project_.tool({"report", "--csv", file("r.csv"), "--markdown", file("r.md"), "--html", file("r.html")});
  ASSERT_EQ(reported.status, 0) << reported.all();
  const json &run = reported.json.at("runs").at(0), &best = said_.json.at("best");
  EXPECT_EQ(run.at("winner"), best.at("candidate"));
  for (const char *part : {"ratio", "low", "high"})
    EXPECT_DOUBLE_EQ(run.at("speedup").at(part).get<double>(), best.at(part).get<double>()) << part;
  EXPECT_EQ(run.at("iterations"), said_.json.at("iterations"));
  EXPECT_EQ(run.at("rejected"), said_.json.at("rejected"));
  EXPECT_EQ(run.at("reason"), said_.json.at("reason"));
  EXPECT_EQ(run.at("written"), said_.json.at("files"));
  EXPECT_EQ(run.at("calls"), said_.json.at("model").at("calls"));
  EXPECT_EQ(run.at("as_shipped"), true);
  expectAttemptsAgree(run.at("attempts"), readFile(file("r.csv")).value_or(""));

  const std::string markdown = readFile(file("r.md")).value_or(""), page = readFile(file("r.html")).value_or("");
  const std::string text = runCommand({toolPath(), "report", "--build-dir", project_.build().string()}).out;
  for (const std::string &form : {markdown, text}) {
    EXPECT_THAT(form, HasSubstr(ratioText(best)));
    EXPECT_THAT(form, HasSubstr("2 tried"));
    for (const json &attempt : run.at("attempts"))
      if (!attempt.at("speedup").is_null()) {
        EXPECT_THAT(form, HasSubstr(ratioText(attempt.at("speedup"))));
      }
  }
  char ratio[40];
  std::snprintf(ratio, sizeof ratio, "<dd>%.2fx", best.at("ratio").get<double>());
  EXPECT_THAT(page, HasSubstr(ratio));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(markdown, Not(HasSubstr("@someone")));
}

TEST_F(RunReports, ExplainTellsOfACandidateOfAnIterationAndOfACheck) {
  const std::string winner = said_.json.at("best").at("candidate");
  const Outcome best = project_.tool({"explain", winner.substr(0, 6)});
  ASSERT_EQ(best.status, 0) << best.all();
  EXPECT_EQ(best.json.at("candidate"), winner);
  EXPECT_THAT(best.json.at("headline").get<std::string>(), HasSubstr("the winner: "));
  EXPECT_THAT(best.json.at("headline").get<std::string>(), HasSubstr("as it ships " + ratioText(said_.json["best"])));
  const Outcome first = project_.tool({"explain", "#1", "--kernel", "column_sums"});
  ASSERT_EQ(first.status, 0) << first.all();
  EXPECT_THAT(first.json.at("headline").get<std::string>(), HasSubstr("rejected by "));
  EXPECT_FALSE(first.json.at("why").empty());

  const Outcome check = project_.tool({"explain", "allocation"});
  ASSERT_EQ(check.status, 0) << check.all();
  EXPECT_EQ(check.json.at("page").get<std::string>(),
            readFile(fs::path(sourceRoot()) / "ast-checks" / "allocation.md").value_or(""));
  expectOneError(project_.tool({"explain", "alocation"}), 1, {"did you mean the check 'allocation'"});
  expectOneError(project_.tool({"explain", "#99"}), 1, {"no such candidate or iteration", "agentic-kernel report"});
}

TEST_F(RunReports, AJournalThatIsDamagedOrTornIsReadOrNamed) {
  const fs::path run = said_.json.at("run_dir").get<std::string>();
  const std::string journal = readFile(run / "journal.jsonl").value_or("");
  const std::size_t end = journal.rfind("{\"", journal.size() - 2);
  ASSERT_TRUE(writeFileAtomic(run / "journal.jsonl", journal.substr(0, end + 20)));
  const Outcome torn = project_.tool({"report", run.string()});
  EXPECT_EQ(torn.status, 0) << torn.all();
  EXPECT_EQ(torn.json.at("runs").at(0).at("finished"), false);
  EXPECT_EQ(torn.json.at("runs").at(0).at("running"), false);
  EXPECT_THAT(runCommand({toolPath(), "report", run.string()}).out, HasSubstr("--resume goes on with it"));

  const fs::path good = run.parent_path() / "column_sums-20260101T000000Z";
  fs::copy(run, good, fs::copy_options::recursive);
  ASSERT_TRUE(writeFileAtomic(run / "journal.jsonl", journal + "42\n"));
  expectOneError(project_.tool({"report", run.string()}), 1, {"is damaged", "name the other runs alone"});
  const Outcome followed = runCommand({toolPath(), "report", run.string(), "--follow"}, 20);
  EXPECT_EQ(followed.status, 1) << followed.all();
  EXPECT_THAT(followed.err, HasSubstr("is damaged"));
  const Outcome others = project_.tool({"report", run.string(), good.string()});
  expectOneError(others, 1, {run.filename().string(), "is damaged"});
  ASSERT_EQ(others.json.at("runs").size(), 1u) << "the run that can be read is reported";
  EXPECT_EQ(others.json.at("runs").at(0).at("directory"), good.string());
  ASSERT_TRUE(writeFileAtomic(run / "journal.jsonl", journal));
  ASSERT_TRUE(writeFileAtomic(run / "insights" / "baseline.json", "{\"sections\":[7,{\"title\":[]},null]}"));
  EXPECT_EQ(project_.tool({"report", run.string()}).status, 0);
}

TEST_F(RunReports, WhatContradictsItselfIsRefusedBeforeAnythingIsWritten) {
  const std::string run = said_.json.at("run_dir");
  expectOneError(project_.tool({"report", "--html", file("r"), "--csv", file("x/../r")}), 1, {file("r"), "of its own"});
  EXPECT_FALSE(fs::exists(file("r")));
  expectOneError(project_.tool({"report", "--follow", "--html", file("r")}, 20), 1, {"--follow", "--html"});
  expectOneError(project_.tool({"report", run, "--kernel", "column_sums"}), 1, {"--kernel", "leave one of them out"});
  expectOneError(project_.tool({"report", "--kernel", "colum_sums"}), 1, {"did you mean 'column_sums'"});
  expectOneError(project_.tool({"report", file("nowhere")}), 1, {"nowhere", "agentic-kernel runs"});
  expectOneError(project_.tool({"report", fs::path(run).parent_path().string()}), 1, {"no journal.jsonl", run});
}

} // namespace
} // namespace agentic::e2e
