// Compares the output of `optimize` with every form of its report: the same numbers.
#include "tests/e2e/project.h"

#include "tool/base/text.h"
#include "tool/model/figures.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace agentic::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char *kAgent = "#!/bin/sh\n"
                               "n=$(($(cat \"$1/count\" 2>/dev/null || echo 0) + 1))\n"
                               "echo $n > \"$1/count\"\ncat >/dev/null\n"
                               "cat \"$1/reply.$n\"\n";

std::string fence(const std::string &text) {
  return "```cpp\n" + text + "```\n";
}

Speedup speedupFrom(const json &value) {
  return {value.at("ratio").get<double>(), value.at("low").get<double>(), value.at("high").get<double>(), true,
          !value.at("estimate").get<bool>()};
}
std::string ratioText(const json &speedup) {
  return agentic::ratioText(speedupFrom(speedup));
}

/// One run for all of these tests: it takes half a minute.
class RunReports : public testing::Test {
protected:
  static void SetUpTestSuite() {
    project_ = std::make_unique<Project>("examples/quickstart");
    const fs::path agent = project_->root() / "agent";
    ASSERT_TRUE(
        writeFileAtomic(agent / "reply.1", fence("void columnSums() { <script>alert(1)</script> @someone #1 }\n")));
    ASSERT_TRUE(writeFileAtomic(agent / "reply.2", fence(kWalksRows)));
    ASSERT_TRUE(writeFileAtomic(agent / "agent.sh", kAgent));
    fs::permissions(agent / "agent.sh", fs::perms::owner_all);
    const Outcome configured = project_->configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
    said_ = project_->tool({"optimize", "--kernel", "column_sums", "--max-iterations", "2", "--agent",
                            "command:" + (agent / "agent.sh").string() + " " + agent.string()});
    ASSERT_EQ(said_.status, 0) << said_.all();
  }
  static void TearDownTestSuite() { project_.reset(); }

  static std::string file(const std::string &name) { return (project_->root() / name).string(); }

  inline static std::unique_ptr<Project> project_;
  inline static Outcome said_;
};

TEST_F(RunReports, ExplainTellsOfACandidateOfAnIterationAndOfACheck) {
  const std::string winner = said_.json.at("best").at("candidate");
  const Outcome best = project_->tool({"explain", winner.substr(0, 6)});
  ASSERT_EQ(best.status, 0) << best.all();
  EXPECT_EQ(best.json.at("candidate"), winner);
  EXPECT_THAT(best.json.at("headline").get<std::string>(), HasSubstr("the winner: "));
  EXPECT_THAT(best.json.at("headline").get<std::string>(), HasSubstr("as it ships " + ratioText(said_.json["best"])));
  const Outcome first = project_->tool({"explain", "#1", "--kernel", "column_sums"});
  ASSERT_EQ(first.status, 0) << first.all();
  EXPECT_THAT(first.json.at("headline").get<std::string>(), HasSubstr("rejected by "));
  EXPECT_FALSE(first.json.at("why").empty());

  const Outcome check = project_->tool({"explain", "allocation"});
  ASSERT_EQ(check.status, 0) << check.all();
  EXPECT_EQ(check.json.at("page").get<std::string>(),
            readFile(fs::path(sourceRoot()) / "ast-checks" / "allocation.md").value_or(""));
  expectOneError(project_->tool({"explain", "alocation"}), 1, {"did you mean the check 'allocation'"});
  expectOneError(project_->tool({"explain", "#99"}), 1, {"no such candidate or iteration", "agentic-kernel report"});
}

TEST_F(RunReports, AJournalThatIsDamagedOrTornIsReadOrNamed) {
  const fs::path run = said_.json.at("run_dir").get<std::string>();
  const std::string journal = readFile(run / "journal.jsonl").value_or("");
  const std::size_t end = journal.rfind("{\"", journal.size() - 2);
  ASSERT_TRUE(writeFileAtomic(run / "journal.jsonl", journal.substr(0, end + 20)));
  const Outcome torn = project_->tool({"report", run.string()});
  EXPECT_EQ(torn.status, 0) << torn.all();
  EXPECT_EQ(torn.json.at("runs").at(0).at("finished"), false);
  EXPECT_EQ(torn.json.at("runs").at(0).at("running"), false);
  EXPECT_THAT(runCommand({toolPath(), "report", run.string()}).out, HasSubstr("--resume goes on with it"));

  const fs::path good = run.parent_path() / "column_sums-20260101T000000Z";
  fs::copy(run, good, fs::copy_options::recursive);
  ASSERT_TRUE(writeFileAtomic(run / "journal.jsonl", journal + "42\n"));
  expectOneError(project_->tool({"report", run.string()}), 1, {"is damaged", "name the other runs alone"});
  const Outcome followed = runCommand({toolPath(), "report", run.string(), "--follow"});
  EXPECT_EQ(followed.status, 1) << followed.all();
  EXPECT_THAT(followed.err, HasSubstr("is damaged"));
  const Outcome others = project_->tool({"report", run.string(), good.string()});
  expectOneError(others, 1, {run.filename().string(), "is damaged"});
  ASSERT_EQ(others.json.at("runs").size(), 1u) << "the run that can be read is reported";
  EXPECT_EQ(others.json.at("runs").at(0).at("directory"), good.string());
  ASSERT_TRUE(writeFileAtomic(run / "journal.jsonl", journal));
  ASSERT_TRUE(writeFileAtomic(run / "insights" / "baseline.json", "{\"sections\":[7,{\"title\":[]},null]}"));
  EXPECT_EQ(project_->tool({"report", run.string()}).status, 0);
}

TEST_F(RunReports, WhatContradictsItselfIsRefusedBeforeAnythingIsWritten) {
  const std::string run = said_.json.at("run_dir");
  expectOneError(project_->tool({"report", "--html", file("r"), "--csv", file("x/../r")}), 1,
                 {file("r"), "of its own"});
  EXPECT_FALSE(fs::exists(file("r")));
  expectOneError(project_->tool({"report", "--follow", "--html", file("r")}), 1, {"--follow", "--html"});
  expectOneError(project_->tool({"report", run, "--kernel", "column_sums"}), 1, {"--kernel", "leave one of them out"});
  expectOneError(project_->tool({"report", "--kernel", "colum_sums"}), 1, {"did you mean 'column_sums'"});
  expectOneError(project_->tool({"report", file("nowhere")}), 1, {"nowhere", "agentic-kernel runs"});
  expectOneError(project_->tool({"report", fs::path(run).parent_path().string()}), 1, {"no journal.jsonl", run});
}

constexpr const char *kHead =
    "#include <cstddef>\nvoid columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n";

/// Better than the baseline, which reads one column at a time, and far from what is possible.
std::string fourColumns() {
  return fence(std::string(kHead) + "  std::size_t c = 0;\n  for (; c + 4 <= columns; c += 4) {\n"
                                    "    float a = 0.0f, b = 0.0f, d = 0.0f, e = 0.0f;\n"
                                    "    for (std::size_t r = 0; r < rows; ++r) {\n"
                                    "      const float *row = matrix + r * columns + c;\n"
                                    "      a += row[0];\n      b += row[1];\n      d += row[2];\n      e += row[3];\n"
                                    "    }\n    sums[c] = a;\n    sums[c + 1] = b;\n    sums[c + 2] = d;\n"
                                    "    sums[c + 3] = e;\n  }\n  for (; c < columns; ++c) {\n    float sum = 0.0f;\n"
                                    "    for (std::size_t r = 0; r < rows; ++r)\n"
                                    "      sum += matrix[r * columns + c];\n    sums[c] = sum;\n  }\n}\n");
}

/// Fast, but with a path that no test takes: refused when it is confirmed.
std::string untested() {
  return fence(std::string(kHead) + "  if (columns == 123457) {\n    for (std::size_t c = columns; c-- > 0;) {\n"
                                    "      sums[c] = 0.0f;\n      for (std::size_t r = 0; r < rows; ++r)\n"
                                    "        sums[c] += matrix[r * columns + c];\n    }\n    return;\n  }\n"
                                    "  for (std::size_t b = 0; b < columns; b += 64) {\n"
                                    "    const std::size_t end = b + 64 < columns ? b + 64 : columns;\n"
                                    "    for (std::size_t c = b; c < end; ++c)\n      sums[c] = 0.0f;\n"
                                    "    for (std::size_t r = 0; r < rows; ++r)\n"
                                    "      for (std::size_t c = b; c < end; ++c)\n"
                                    "        sums[c] += matrix[r * columns + c];\n  }\n}\n");
}

/// Column by column, from the last on: correct, and as slow as the baseline.
std::string slow() {
  return fence(std::string(kHead) + "  for (std::size_t c = columns; c-- > 0;) {\n    float sum = 0.0f;\n"
                                    "    for (std::size_t r = 0; r < rows; ++r)\n"
                                    "      sum += matrix[r * columns + c];\n    sums[c] = sum;\n  }\n}\n");
}

/// The same code as the baseline's.
std::string asItWas() {
  return fence(std::string(kHead) + "  for (std::size_t c = 0; c < columns; ++c) {\n    float total = 0.0f;\n"
                                    "    for (std::size_t r = 0; r < rows; ++r)\n"
                                    "      total += matrix[r * columns + c];\n    sums[c] = total;\n  }\n}\n");
}

/// Compares every form of one run's report.
class EveryForm : public testing::Test {
protected:
  void configure() const {
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }

  void report() {
    const auto file = [&](const char *name) { return (project_.root() / name).string(); };
    const Outcome reported =
        project_.tool({"report", "--csv", file("r.csv"), "--markdown", file("r.md"), "--html", file("r.html")});
    ASSERT_EQ(reported.status, 0) << reported.all();
    run_ = reported.json.at("runs").at(0);
    csv_ = readFile(file("r.csv")).value_or("");
    markdown_ = readFile(file("r.md")).value_or("");
    page_ = readFile(file("r.html")).value_or("");
    text_ = runCommand({toolPath(), "report", "--build-dir", project_.build().string()}).out;
    const std::string open = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = page_.find(open) + open.size();
    data_ = json::parse(page_.substr(begin, page_.find("</script>", begin) - begin), nullptr, false);
    ASSERT_TRUE(data_.is_object());
  }

  std::string candidatesText() const {
    std::string rejected;
    for (const auto &[by, count] : run_.at("rejected").items())
      rejected += (rejected.empty() ? "; not taken: " : ", ") + by + " " + std::to_string(count.get<int>());
    return std::to_string(run_.at("iterations").get<int>()) + " tried" + rejected;
  }
  std::string timesText() const {
    return nanoseconds(run_.at("baseline_ns")) + " → " + nanoseconds(run_.at("winner_ns"));
  }

  /// Compares text, Markdown and page with the JSON.
  void expectSummariesAgree() const {
    for (const std::string &form : {text_, markdown_, page_}) {
      EXPECT_THAT(form, HasSubstr(seconds(run_.at("wall_seconds"))));
      EXPECT_THAT(form, HasSubstr(nanoseconds(run_.at("baseline_ns"))));
      EXPECT_THAT(form, HasSubstr(nanoseconds(run_.at("winner_ns"))));
      EXPECT_THAT(form, HasSubstr(intervalText(speedupFrom(run_.at("speedup")))));
      EXPECT_THAT(form, HasSubstr(run_.at("winner").get<std::string>()));
    }
    EXPECT_THAT(text_, HasSubstr(candidatesText()));
    EXPECT_THAT(markdown_, HasSubstr(candidatesText()));
    EXPECT_THAT(markdown_, HasSubstr(timesText()));
    EXPECT_THAT(page_, HasSubstr(timesText()));
    double all = 0;
    for (const auto &[name, spent] : run_.at("stage_seconds").items())
      all += spent.get<double>();
    EXPECT_NEAR(all, run_.at("wall_seconds").get<double>(), 0.01);
    expectCountsAgree();
  }

  void expectCountsAgree() const {
    int accepted = 0, rejected = 0, counted = 0;
    for (const json &attempt : run_.at("attempts"))
      (attempt.at("verdict") == "accepted" ? accepted : rejected) += 1;
    for (const auto &[by, count] : run_.at("rejected").items())
      counted += count.get<int>();
    EXPECT_EQ(rejected, counted);
    EXPECT_EQ(accepted + rejected, run_.at("iterations"));
    EXPECT_THAT(page_, HasSubstr("<small>" + std::to_string(accepted) + " accepted</small>"));
    int ofAgents = 0;
    for (const json &agent : run_.at("agents"))
      ofAgents += agent.at("accepted").get<int>();
    EXPECT_EQ(ofAgents, accepted);
    int onPage = 0;
    for (const json &row : data_.at("runs").at(0).at("rejected"))
      onPage += row.at("count").get<int>();
    EXPECT_EQ(onPage, counted); // each of these candidates breaks one check at most
  }

  static void expectCell(const std::string &cell, const json &value) {
    if (value.is_null()) {
      EXPECT_EQ(cell, "");
    } else {
      EXPECT_NEAR(std::stod(cell) / value.get<double>(), 1, 1e-5) << cell;
    }
  }

  /// Compares CSV and the page's data, attempt by attempt.
  void expectAttemptsAgree() const {
    const std::vector<std::string> lines = split(csv_, '\n');
    const json &attempts = run_.at("attempts"), &shown = data_.at("runs").at(0).at("attempts");
    ASSERT_GE(lines.size(), attempts.size() + 1);
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      const json &attempt = attempts[i];
      std::vector<std::string> cells = split(lines[i + 1].substr(0, lines[i + 1].size() - 1), ',');
      ASSERT_GE(cells.size(), 20u) << lines[i + 1];
      SCOPED_TRACE(lines[i + 1]);
      EXPECT_EQ(cells[2], std::to_string(attempt.at("iteration").get<int>()));
      EXPECT_EQ(cells[3], attempt.at("candidate").is_null() ? "" : attempt.at("candidate").get<std::string>());
      EXPECT_EQ(cells[4], attempt.at("verdict").get<std::string>());
      EXPECT_EQ(data_.at("names").at(shown.at("verdict").at(i).get<std::size_t>()), attempt.at("verdict"));
      EXPECT_EQ(cells.back(), ""); // measured here
      EXPECT_EQ(cells[cells.size() - 2],
                attempt.at("refused_by").is_null() ? "" : attempt.at("refused_by").get<std::string>());
      expectCell(cells[cells.size() - 3], attempt.at("estimated_speedup"));
      const json none = {{"ratio", nullptr}, {"low", nullptr}, {"high", nullptr}};
      const json &speedup = attempt.at("speedup").is_null() ? none : attempt.at("speedup");
      const json &against = attempt.at("against_best").is_null() ? none : attempt.at("against_best");
      expectCell(cells[cells.size() - 4], against.at("ratio"));
      expectCell(cells[6], attempt.at("time_ns"));
      expectCell(cells[7], speedup.at("ratio"));
      expectCell(cells[8], speedup.at("low"));
      expectCell(cells[9], speedup.at("high"));
      for (const auto &[column, value] : std::map<std::string, json>{{"ratio", speedup.at("ratio")},
                                                                     {"ns", attempt.at("time_ns")},
                                                                     {"estimate", attempt.at("estimated_speedup")},
                                                                     {"best", attempt.at("best")},
                                                                     {"wall", attempt.at("wall_seconds")}}) {
        const json &given = shown.at(column).at(i);
        EXPECT_EQ(given.is_null(), value.is_null()) << column;
        if (!value.is_null() && !given.is_null()) {
          EXPECT_NEAR(given.get<double>() / value.get<double>(), 1, 1e-5) << column;
        }
      }
    }
  }

  std::vector<std::string> verdicts() const {
    std::vector<std::string> all;
    for (const json &attempt : run_.at("attempts"))
      all.push_back(attempt.at("verdict"));
    return all;
  }

  Project project_{"examples/quickstart"};
  json run_, data_;
  std::string csv_, markdown_, page_, text_;
};

TEST_F(EveryForm, OfSeveralAgentsAgreesOnEveryNumber) {
  configure();
  std::string agents;
  const std::map<std::string, std::vector<std::string>> replies = {
      {"one", {fourColumns(), slow(), fence("void columnSums() { <script>alert(1)</script> @someone #1 }\n")}},
      {"two", {untested(), asItWas(), "No idea.\n"}}};
  for (const auto &[name, texts] : replies) {
    const fs::path folder = project_.root() / name;
    for (std::size_t i = 0; i < texts.size(); ++i)
      ASSERT_TRUE(writeFileAtomic(folder / ("reply." + std::to_string(i + 1)), texts[i]));
    ASSERT_TRUE(writeFileAtomic(folder / (name + ".sh"), kAgent));
    fs::permissions(folder / (name + ".sh"), fs::perms::owner_all);
    agents += (agents.empty() ? "command:" : ",command:") + (folder / (name + ".sh")).string() + " " + folder.string();
  }
  const Outcome said =
      project_.tool({"optimize", "--kernel", "column_sums", "--max-iterations", "6", "--agent", agents});
  ASSERT_EQ(said.status, 0) << said.all();
  report();
  // Every possible fate of a candidate happens to one of them.
  ASSERT_EQ(verdicts(),
            (std::vector<std::string>{"accepted", "refused", "not-faster", "not-faster", "rejected", "reply"}))
      << said.all();
  const json &attempts = run_.at("attempts");
  EXPECT_FALSE(attempts[2].at("against_best").is_null());
  EXPECT_TRUE(attempts[2].at("speedup").is_null());
  EXPECT_DOUBLE_EQ(attempts[2].at("estimated_speedup").get<double>(),
                   attempts[1].at("speedup").at("ratio").get<double>() *
                       attempts[2].at("against_best").at("ratio").get<double>());
  EXPECT_EQ(attempts[3].at("same_code_as"), "baseline");
  EXPECT_EQ(attempts[3].at("estimated_speedup"), 1);
  EXPECT_EQ(attempts[5].at("best"), attempts[0].at("speedup").at("ratio")); // the refused one counts for nothing
  EXPECT_EQ(run_.at("rejected"), (json{{"benchmark", 2}, {"compile", 1}, {"coverage", 1}, {"reply", 1}}));

  const json &best = said.json.at("best");
  EXPECT_EQ(run_.at("winner"), best.at("candidate"));
  EXPECT_EQ(run_.at("winner"), attempts[0].at("candidate"));
  EXPECT_EQ(speedupFrom(run_.at("speedup")).ratio, speedupFrom(best).ratio);
  EXPECT_EQ(ratioText(run_.at("speedup")), ratioText(best));
  EXPECT_EQ(run_.at("baseline_ns"), said.json.at("baseline_ns"));
  EXPECT_EQ(run_.at("wall_seconds"), said.json.at("wall_seconds"));
  EXPECT_EQ(run_.at("iterations"), said.json.at("iterations"));
  EXPECT_EQ(run_.at("rejected"), said.json.at("rejected"));
  EXPECT_EQ(run_.at("reason"), said.json.at("reason"));
  EXPECT_EQ(run_.at("written"), said.json.at("files"));
  for (const auto &[ours, theirs] : std::map<std::string, std::string>{
           {"calls", "calls"}, {"answered", "answered"}, {"cost_usd", "cost_usd"}, {"tokens_in", "input_tokens"}})
    EXPECT_EQ(run_.at(ours), said.json.at("model").at(theirs)) << ours;
  EXPECT_EQ(run_.at("as_shipped"), true);
  expectSummariesAgree();
  expectAttemptsAgree();
  EXPECT_THAT(page_, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(markdown_, Not(HasSubstr(" @someone")));
}

/// The line of a terminal's text that begins with this word.
std::string lineOf(const std::string &text, const std::string &word) {
  for (const std::string &line : split(text, '\n'))
    if (line.starts_with("  " + word + " "))
      return line;
  return {};
}

TEST_F(EveryForm, OfTheBuiltInSearchAgreesOnEveryNumber) {
  project_.shortens = true;
  configure();
  std::vector<std::string> command =
      project_.toolCommand({"optimize", "--kernel", "column_sums", "--max-iterations", "10"});
  command.pop_back(); // without --json: as a terminal shows it
  const Outcome said = runCommand(command);
  ASSERT_EQ(said.status, 0) << said.all();
  report();
  EXPECT_EQ(run_.at("iterations"), 10);
  for (const char *line : {"baseline", "best", "speedup", "candidates"})
    EXPECT_EQ(lineOf(text_, line), lineOf(said.out, line)) << text_;
  EXPECT_THAT(lineOf(said.out, "time"), testing::StartsWith(lineOf(text_, "time") + " ("));
  expectSummariesAgree();
  expectAttemptsAgree();
}

} // namespace
} // namespace agentic::e2e
