// The rows of a comparison, and what a report says of a run with a strategy and roles.
#include "tool/run/compare_runs.h"
#include "tool/run/run_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> labelsOf(const std::vector<std::string> &agents, const std::vector<std::string> &strategies) {
  std::vector<std::string> labels;
  const auto rows = compareRows(agents, strategies);
  EXPECT_TRUE(rows) << rows.error().message;
  for (const CompareRow &row : rows.value_or(std::vector<CompareRow>()))
    labels.push_back(row.label + " | " + row.strategy);
  return labels;
}

TEST(CompareRows, EachAgentThatAsksAModelHasARowForEachStrategy) {
  EXPECT_THAT(labelsOf({"builtin", "command:./a.sh x"}, {}), ElementsAre("builtin | ", "command:a.sh | "));
  EXPECT_THAT(labelsOf({"builtin", "command:./a.sh x"}, {"linear", "beam=2/2/1"}),
              ElementsAre("builtin | ", "command:a.sh, linear | linear", "command:a.sh, beam=2/2/1 | beam=2/2/1"));
  const auto wrong = compareRows({"command:./a.sh"}, {"linear", "beem"});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("there is no strategy 'beem'"));
}

RunReport reportOf(const RunRecord &record) {
  RunReport report;
  for (const Attempt &attempt : record.attempts)
    report.attempts.push_back({.iteration = int(report.attempts.size()) + 1,
                               .candidate = attempt.candidate.id,
                               .parent = attempt.candidate.parent,
                               .evaluation = attempt.evaluation});
  addTree(report, record);
  return report;
}

Attempt attempted(const std::string &id, const std::string &parent, double ratio) {
  Attempt attempt{Candidate{id, "text", "", parent}, {}};
  attempt.evaluation.verdict = ratio > 0 ? Verdict::Accepted : Verdict::Rejected;
  if (ratio > 0) {
    attempt.evaluation.measurement.emplace();
    attempt.evaluation.measurement->speedup = {.ratio = ratio, .low = ratio, .high = ratio};
  }
  return attempt;
}

TEST(ReportTree, FollowsQuestionsAndMendedFiles) {
  RunRecord record;
  record.attempts = {attempted("c1", "", 2), attempted("c2", "c1", 0), attempted("c3", "c2", 3), attempted("c4", "", 1),
                     attempted("c5", "gone", 1)};
  record.asked = {{.ask = {.strategy = "beam", .parent = ""}, .candidates = {"c1"}},
                  {.ask = {.strategy = "beam", .parent = "c1"}, .candidates = {"c2"}},
                  {.ask = {.strategy = "beam", .parent = "c1", .fixes = "c2"}, .candidates = {"c3"}}};
  const RunReport report = reportOf(record);
  EXPECT_EQ(report.strategy, "beam");
  std::vector<std::string> lines;
  for (const ReportBranch &branch : report.tree)
    lines.push_back(std::to_string(branch.depth) + " " + report.attempts[branch.attempt].candidate);
  EXPECT_THAT(lines, ElementsAre("0 c1", "1 c2", "2 c3", "0 c4", "0 c5"));
}

TEST(ReportTree, ACycleInADamagedJournalEnds) {
  RunRecord record;
  record.attempts = {attempted("c1", "c2", 2), attempted("c2", "c1", 2), attempted("c3", "c3", 2),
                     attempted("c1", "c2", 2)};
  record.asked = {{.ask = {.strategy = "tree", .parent = "c3"}, .candidates = {"c3"}}};
  EXPECT_EQ(reportOf(record).tree.size(), 4u);
}

TEST(ReportTree, ShowsTheCellsOfEachPopulation) {
  RunRecord record;
  record.attempts = {attempted("c1", "", 2), attempted("c2", "", 3)};
  record.attempts[0].evaluation.traits = {"memory", "64 bytes"};
  record.attempts[1].evaluation.traits = {"compute", "64 bytes"};
  record.asked = {{.ask = {.strategy = "islands", .population = 0}, .candidates = {"c1"}},
                  {.ask = {.strategy = "islands", .population = 1}, .candidates = {"c2"}}};
  const RunReport report = reportOf(record);
  ASSERT_EQ(report.cells.size(), 2u);
  EXPECT_EQ(report.cells[0].candidate, "c1");
  EXPECT_EQ(report.cells[0].traits, "memory, 64 bytes");
  EXPECT_EQ(report.cells[1].population, 1);
  EXPECT_EQ(report.cells[1].candidate, "c2");
}

TEST(ReportTree, WithoutAStrategyAndRolesThereIsNone) {
  RunRecord record;
  record.attempts = {attempted("c1", "", 2)};
  EXPECT_TRUE(reportOf(record).tree.empty());
}

CallRecord callOf(int number, const std::string &role, const std::string &about, const std::string &says) {
  CallRecord call{.call = number, .attempt = 1, .agent = role + ":model", .purpose = {role, about}};
  call.reply.emplace();
  call.reply->message.text = says;
  return call;
}

TEST(ReportTree, AnAttemptHasItsRoleItsModelAndItsPlan) {
  const std::vector<CallRecord> calls = {callOf(1, "planner", "round 0", "PLAN: one\nWHY: a\nPLAN: two\nWHY: b\n"),
                                         callOf(2, "coder", "plan 2 of call 1", ""), callOf(3, "fixer", "c1", ""),
                                         callOf(4, "coder", "plan 9 of call 1", ""),
                                         callOf(5, "coder", "plan 99999999999999999999 of call 1", "")};
  ReportAttempt attempt;
  addRoleOf(attempt, 2, {calls});
  EXPECT_EQ(attempt.role + " " + attempt.model + " " + attempt.plan, "coder coder:model two");
  EXPECT_EQ(attempt.hypothesis, 0);
  for (const int call : {3, 4, 5, 0, 77}) {
    ReportAttempt other;
    addRoleOf(other, call, {calls});
    EXPECT_EQ(other.plan, "") << call;
  }
}

TEST(ReportTree, HypothesesThatWereGivenHaveTheirOutcomes) {
  const std::vector<CallRecord> calls = {callOf(1, "coder", "hypothesis 2 of the file", ""),
                                         callOf(2, "coder", "hypothesis 9 of the file", "")};
  const std::vector<Hypothesis> given = {{"one", "a", 1.5, "", ""}, {"two", "b", std::nullopt, "", ""}};
  const ToldAgent told = {calls, given};
  RunReport report;
  report.attempts.resize(2);
  addRoleOf(report.attempts[0], 1, told);
  addRoleOf(report.attempts[1], 2, told);
  EXPECT_EQ(report.attempts[0].plan, "two");
  EXPECT_EQ(report.attempts[1].plan, "");
  addHypotheses(report, "", told);
  ASSERT_EQ(report.hypotheses.size(), 2u);
  EXPECT_EQ(report.hypotheses[0].tried, 0);
  EXPECT_EQ(report.hypotheses[1].tried, 1);
  EXPECT_EQ(report.hypotheses[1].best, 0u);
}

/// A coder carries two of three hypotheses out, a fixer mends a file of the first, and a planner names one that there
/// is not.
TEST(ReportTree, SaysWhatCameOfEachHypothesis) {
  const std::vector<CallRecord> calls = {
      callOf(1, "researcher", "question 1", "SEARCH: sums"),
      callOf(2, "researcher", "question 2",
             "HYPOTHESIS: one\nWHY: a\nGAIN: 1.5\nHYPOTHESIS: two\nWHY: b\nSOURCE: s\nHYPOTHESIS: three\nWHY: c\n"),
      callOf(3, "coder", "hypothesis 1 of call 2", ""),
      callOf(4, "fixer", "c1", ""),
      callOf(5, "coder", "hypothesis 2 of call 2", ""),
      callOf(6, "planner", "question 3", "PLAN: p\nWHY: w\nHYPOTHESIS: 7\n"),
      callOf(7, "coder", "plan 1 of call 6", ""),
      callOf(8, "coder", "hypothesis 9 of call 2", "")};
  RunReport report;
  const auto attempt = [&](const std::string &id, const std::string &parent, double ratio, int call) {
    const Attempt made = attempted(id, parent, ratio);
    ReportAttempt &shown = report.attempts.emplace_back(ReportAttempt{.iteration = int(report.attempts.size()) + 1,
                                                                      .candidate = id,
                                                                      .agent = "a",
                                                                      .parent = parent,
                                                                      .evaluation = made.evaluation});
    addRoleOf(shown, call, {calls});
  };
  attempt("c1", "", 0, 3);
  attempt("c2", "c1", 3, 4);
  attempt("c3", "", 0, 5);
  attempt("c4", "", 2, 7);
  attempt("", "", 0, 8);
  addHypotheses(report, "another", {});
  addHypotheses(report, "", {calls});
  ASSERT_EQ(report.hypotheses.size(), 3u);
  EXPECT_EQ(report.attempts[0].plan, "one");
  EXPECT_EQ(report.hypotheses[0].gain, 1.5);
  EXPECT_EQ(report.hypotheses[0].tried, 2) << "the mended file carries it, too";
  EXPECT_EQ(report.hypotheses[0].best, 1u);
  EXPECT_EQ(report.hypotheses[1].source, "s");
  EXPECT_EQ(report.hypotheses[1].best, 2u);
  EXPECT_EQ(report.hypotheses[2].number, 3);
  EXPECT_EQ(report.hypotheses[2].best, std::nullopt);
  EXPECT_EQ(report.attempts[3].hypothesis, 0) << "there is none of this number";
  EXPECT_EQ(report.attempts[3].plan, "p");
}

} // namespace
} // namespace agentic
