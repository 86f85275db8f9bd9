#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/model/figures.h"
#include "tool/report/run_report.h"
#include "tool/report/run_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ReportAttempt measured(int iteration, const std::string &candidate, double ratio) {
  ReportAttempt attempt{.iteration = iteration, .candidate = candidate, .agent = "openai:x", .origin = "openai:x"};
  attempt.evaluation.verdict = Verdict::Accepted;
  attempt.evaluation.stage = Stage::Benchmark;
  attempt.evaluation.measurement.emplace();
  attempt.evaluation.measurement->speedup = {ratio, 0.9 * ratio, 1.1 * ratio, true};
  attempt.evaluation.measurement->candidateNs = 1234567;
  attempt.tokensIn = 100;
  attempt.tokensOut = 20;
  attempt.usd = 0.0125;
  attempt.wallSeconds = 12.5;
  return attempt;
}

RunReport recordedRun() {
  RunReport run{.name = "gemm-20261123T120000Z", .kernel = "gemm", .level = "x86-64-v3", .family = "clang"};
  run.attempts = {measured(1, "c1", 2), measured(2, "c2", 4)};
  run.winner = "c2";
  run.speedup = run.attempts[1].evaluation.measurement->speedup;
  run.reproduce = "agentic-kernel optimize --kernel gemm";
  return run;
}

std::vector<RunReport> hostileRun(const std::string &text) {
  RunReport run = recordedRun();
  run.kernel = run.reason = run.winnerOrigin = run.attempts[0].agent = run.attempts[0].origin =
      run.attempts[0].candidate = text;
  run.attempts[0].evaluation.detail = text;
  run.environment = {{"CPU", text}};
  run.isFinished = true;
  return {run};
}

TEST(RunReport, CodeThatNothingRunsIsInEveryForm) {
  RunReport run = recordedRun();
  EXPECT_THAT(reportText({&run, 1}), Not(HasSubstr("never run")));
  EXPECT_TRUE(reportJson({&run, 1}).at("runs")[0].at("uncovered").is_null());
  run.uncovered = "no test runs gemm.cpp:7:3: branch of the if";
  EXPECT_THAT(reportText({&run, 1}), HasSubstr("  never run    " + run.uncovered + "\n"));
  EXPECT_THAT(reportMarkdown({&run, 1}), HasSubstr("- never run: `" + run.uncovered + "`\n"));
  EXPECT_EQ(reportJson({&run, 1}).at("runs")[0].at("uncovered"), run.uncovered);
}

TEST(RunReport, AShortenedWinnerIsTheAttemptThatItCameFrom) {
  RunReport run = recordedRun();
  EXPECT_THAT(reportText({&run, 1}), Not(HasSubstr("shortened")));
  EXPECT_TRUE(reportJson({&run, 1}).at("runs")[0].at("winner_from").is_null());
  run.winnerFrom = run.winner;
  run.winner = "c9";
  run.shortening = "9 lines became 7";
  run.reviewed = "by some:model: 7 lines became 6";
  run.why = "32 bytes of code instead of 64";
  EXPECT_THAT(reportText({&run, 1}), HasSubstr("  shortened    9 lines became 7\n"));
  EXPECT_THAT(reportText({&run, 1}), HasSubstr("  reviewed     by some:model: 7 lines became 6\n"));
  EXPECT_THAT(reportMarkdown({&run, 1}), HasSubstr("- reviewed: `by some:model: 7 lines became 6`\n"));
  EXPECT_THAT(reportText({&run, 1}), HasSubstr("  why          32 bytes of code instead of 64\n"));
  EXPECT_THAT(reportMarkdown({&run, 1}), HasSubstr("- shortened: `9 lines became 7`\n"));
  EXPECT_THAT(reportMarkdown({&run, 1}), HasSubstr("- why it is faster: `32 bytes of code instead of 64`\n"));
  const nlohmann::json object = reportJson({&run, 1}).at("runs")[0];
  EXPECT_EQ(object.at("winner_from"), "c2");
  EXPECT_EQ(object.at("shortening"), run.shortening);
  EXPECT_EQ(object.at("reviewed"), run.reviewed);
  EXPECT_EQ(object.at("why"), run.why);
  run.attempts[1].origin = "builtin: interchange(c); restrict(sums)";
  run.winnerOrigin = "builtin: interchange(c)"; // what shortening left of it
  EXPECT_THAT(winnerText(run), HasSubstr("c9 (builtin: interchange(c))"));
  EXPECT_EQ(reportJson({&run, 1}).at("runs")[0].at("winner_origin"), run.winnerOrigin);
}

/// A beam of three attempts, of which the second was made from the first, with roles.
RunReport runWithRoles() {
  RunReport run = recordedRun();
  run.strategy = "beam";
  run.attempts[1].parent = "c1";
  run.attempts[1].role = "fixer";
  run.attempts[1].model = "openai:y";
  run.attempts[1].plan = "keep sums in registers";
  run.attempts.push_back(measured(3, "c3", 0.5));
  run.tree = {{.depth = 0, .attempt = 0}, {.depth = 1, .attempt = 1}, {.depth = 0, .attempt = 2}};
  run.cells = {{.population = 1, .traits = "memory, 64 bytes", .candidate = "c2"}};
  run.roles["planner"] = {.calls = 3, .answered = 3, .usd = 0.25};
  run.judge = "12 read, 0 objections";
  return run;
}

TEST(RunReport, TreeCellsAndRolesAreInTextAndJson) {
  const RunReport run = runWithRoles();
  const std::string text = reportText({&run, 1});
  EXPECT_THAT(text, HasSubstr("what was made from what (beam)\nbaseline\n  #1 c1 accepted, "));
  EXPECT_THAT(text, HasSubstr("\n    #2 c2 accepted, "));
  EXPECT_THAT(text, HasSubstr(", openai:y as fixer: keep sums"));
  EXPECT_THAT(text, HasSubstr("\n  #3 c3 accepted, "));
  EXPECT_THAT(text, HasSubstr("2  c2         memory, 64 bytes"));
  EXPECT_THAT(text, HasSubstr("  roles        planner "));
  EXPECT_THAT(text, HasSubstr("  judge        12 read"));
  const nlohmann::json json = reportJson({&run, 1}).at("runs")[0];
  EXPECT_EQ(json.at("strategy"), "beam");
  EXPECT_EQ(json.at("tree")[1], nlohmann::json({{"depth", 1}, {"iteration", 2}}));
  EXPECT_EQ(json.at("cells")[0].at("candidate"), "c2");
  EXPECT_EQ(json.at("roles").at("planner").at("cost_usd"), 0.25);
  EXPECT_EQ(json.at("attempts")[1].at("role"), "fixer");
  EXPECT_EQ(json.at("attempts")[1].at("model"), "openai:y");
  EXPECT_EQ(json.at("attempts")[1].at("plan"), "keep sums in registers");
}

TEST(RunReport, WhatCameOfHypothesesIsInEveryForm) {
  RunReport run = recordedRun();
  EXPECT_THAT(reportText({&run, 1}), Not(HasSubstr("hypotheses")));
  EXPECT_TRUE(reportJson({&run, 1}).at("runs")[0].at("hypotheses").empty());
  run.attempts.push_back({.iteration = 3, .candidate = "c3"});
  run.attempts.back().evaluation.verdict = Verdict::Rejected;
  run.attempts.back().evaluation.stage = Stage::Test;
  run.attempts[1].hypothesis = 1;
  run.hypotheses = {{.number = 1,
                     .what = "keep sums apart",
                     .why = "no chain",
                     .source = "lanes",
                     .gain = 1.5,
                     .tried = 1,
                     .best = 1u},
                    {.number = 2, .agent = "openai:x", .what = "guess", .why = "hope", .tried = 1, .best = 2u},
                    {.number = 3, .what = "pack", .why = "less traffic"}};
  const std::string text = reportText({&run, 1});
  EXPECT_THAT(text, HasSubstr("  hypotheses   1. keep sums apart (expected 1.50x, from lanes)\n"
                              "               held: c2 accepted, 4.00x "));
  EXPECT_THAT(text, HasSubstr("               2. guess (of openai:x)\n"
                              "               did not: c3 rejected by test\n"
                              "               3. pack\n"
                              "               not tried\n"));
  EXPECT_THAT(reportMarkdown({&run, 1}), HasSubstr("- hypothesis: `2. guess (of openai:x)`: `did not: c3 rejected by "
                                                   "test`\n"));
  const nlohmann::json json = reportJson({&run, 1}).at("runs")[0];
  const nlohmann::json &all = json.at("hypotheses");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].at("outcome"), "held");
  EXPECT_EQ(all[0].at("candidate"), "c2");
  EXPECT_EQ(all[0].at("iteration"), 2);
  EXPECT_EQ(all[0].at("speedup").at("ratio"), 4);
  EXPECT_EQ(all[0].at("gain"), 1.5);
  EXPECT_EQ(all[1].at("outcome"), "did not");
  EXPECT_EQ(all[1].at("verdict"), "rejected");
  EXPECT_TRUE(all[1].at("speedup").is_null());
  EXPECT_EQ(all[2].at("outcome"), "not tried");
  EXPECT_TRUE(all[2].at("candidate").is_null());
  EXPECT_EQ(json.at("attempts")[1].at("hypothesis"), 1);
  EXPECT_TRUE(json.at("attempts")[0].at("hypothesis").is_null());
}

TEST(RunReport, WithoutAStrategyNothingIsSaidOfTreesAndRoles) {
  const RunReport run = recordedRun();
  EXPECT_THAT(reportText({&run, 1}), Not(HasSubstr("what was made from what")));
  EXPECT_THAT(reportText({&run, 1}), Not(HasSubstr("roles")));
  const nlohmann::json json = reportJson({&run, 1}).at("runs")[0];
  EXPECT_TRUE(json.at("roles").is_null());
  EXPECT_TRUE(json.at("strategy").is_null());
  EXPECT_TRUE(json.at("tree").empty());
}

TEST(RunReport, AHugeOrDeepTreeIsBoundedInText) {
  RunReport run = runWithRoles();
  run.tree.clear();
  for (int i = 0; i < 1000; ++i)
    run.tree.push_back({.depth = i, .attempt = 2});
  const std::string text = reportText({&run, 1});
  EXPECT_THAT(text, HasSubstr("and 940 more"));
  for (const std::string &line : split(text.substr(text.find("baseline\n")), '\n'))
    EXPECT_LE(line.size(), 103u) << line; // with an ellipsis
}

TEST(RunReport, TheApplicationIsInEveryForm) {
  RunReport run = recordedRun();
  EXPECT_THAT(reportText({&run, 1}), Not(HasSubstr("end to end")));
  EXPECT_TRUE(reportJson({&run, 1}).at("runs")[0].at("end_to_end").is_null());
  run.endToEnd.emplace();
  run.endToEnd->outcome = EndToEndOutcome::Faster;
  run.endToEnd->application = "app";
  run.endToEnd->metric = "MB/s";
  run.endToEnd->printed = "7 MB/s, from the line 'speed 7'";
  run.endToEnd->kernelShare = 0.7;
  run.endToEnd->spread = 1.015;
  run.endToEnd->pairs = 12;
  run.endToEnd->speedup = {.ratio = 1.24, .low = 1.2, .high = 1.28, .isInterval = true, .isConfirmed = true};
  const std::string words = "1.24x [1.20, 1.28] (MB/s of 'app' in 12 pairs; the original differs from itself by up to "
                            "1.5 %; the kernel makes 70 % of it)";
  EXPECT_THAT(reportText({&run, 1}), HasSubstr("  end to end   " + words + "\n"));
  EXPECT_THAT(reportMarkdown({&run, 1}), HasSubstr("- end to end: `1.24x [1.20, 1.28] (MB/s of 'app'"));
  const nlohmann::json object = reportJson({&run, 1}).at("runs")[0].at("end_to_end");
  EXPECT_EQ(object.at("outcome"), "faster");
  EXPECT_EQ(object.at("speedup").at("low"), 1.2);
  EXPECT_EQ(object.at("printed"), "7 MB/s, from the line 'speed 7'");
  EXPECT_EQ(object.at("text"), words);
  run.endToEnd->pairs = 0;
  run.endToEnd->outcome = EndToEndOutcome::NotMeasured;
  run.endToEnd->reason = "no time";
  EXPECT_THAT(reportText({&run, 1}), HasSubstr("  end to end   not measured: no time\n"));
  EXPECT_TRUE(reportJson({&run, 1}).at("runs")[0].at("end_to_end").at("speedup").is_null());
}

TEST(RunReport, CsvHasALinePerAttemptWithTheColumnsInOrder) {
  RunReport run = recordedRun();
  run.attempts[1].evaluation.host = "ssh:box1";
  EXPECT_EQ(reportCsv({&run, 1}),
            "kernel,agent,iteration,candidate,verdict,stage,time_ns,speedup,low,high,tokens_in,tokens_out,cost_usd,"
            "wall_seconds,run,origin,against_best,estimated_speedup,refused_by,host\r\n"
            "gemm,openai:x,1,c1,accepted,benchmark,1.23457e+06,2,1.8,2.2,100,20,0.0125,12.500,gemm-20261123T120000Z,"
            "openai:x,,,,\r\n"
            "gemm,openai:x,2,c2,accepted,benchmark,1.23457e+06,4,3.6,4.4,100,20,0.0125,12.500,gemm-20261123T120000Z,"
            "openai:x,,,,ssh:box1\r\n");
  EXPECT_EQ(reportJson({&run, 1})["runs"][0]["attempts"][1]["host"], "ssh:box1");
  EXPECT_TRUE(reportJson({&run, 1})["runs"][0]["attempts"][0]["host"].is_null());
}

TEST(RunReport, CsvCellsAreNoFormulasAndStayOneCell) {
  for (const char *formula : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "  @x"}) {
    const std::string csv = reportCsv(hostileRun(formula));
    EXPECT_THAT(csv.substr(csv.find("\r\n") + 2), testing::AnyOf(StartsWith("'"), StartsWith("\"'"))) << csv;
  }
  EXPECT_THAT(reportCsv(hostileRun("a; =1+1;b")), HasSubstr("\r\n\"a;' =1+1;b\",")); // semicolons separate cells, too
  EXPECT_THAT(reportCsv(hostileRun("a,\"b\"")), HasSubstr("\r\n\"a,\"\"b\"\"\","));
  EXPECT_THAT(reportCsv(hostileRun("a\r\nb")), HasSubstr("\r\na  b,"));
}

TEST(RunReport, AReplyWithoutACandidateHasEmptyFigures) {
  RunReport run = recordedRun();
  run.attempts = {{.iteration = 1, .agent = "a"}};
  EXPECT_THAT(reportCsv({&run, 1}), HasSubstr("\r\ngemm,a,1,,reply,,,,,,0,0,0,0.000,"));
  EXPECT_EQ(reportJson({&run, 1})["runs"][0]["attempts"][0]["verdict"], "reply");
  EXPECT_TRUE(reportJson({&run, 1})["runs"][0]["attempts"][0]["speedup"].is_null());
}

TEST(RunReport, WithoutATrySaysSoAndWhy) {
  RunReport run = recordedRun();
  run.winner.clear();
  run.isFinished = true;
  run.reason = "the dollar budget is spent; raise --budget-usd";
  EXPECT_EQ(winnerText(run), "none: no candidate was confirmed faster than the baseline");
  run.attempts.clear();
  EXPECT_EQ(winnerText(run), "none: 0 candidates tried: the dollar budget is spent; raise --budget-usd");
}

RunReport runOfAllKinds() {
  RunReport run = recordedRun();
  run.attempts.push_back({.iteration = 3, .candidate = "c3", .agent = "openai:x", .origin = "slower"});
  run.attempts[2].evaluation.verdict = Verdict::NotFaster;
  run.attempts[2].evaluation.stage = Stage::Benchmark;
  run.attempts[2].evaluation.againstIncumbent.emplace().speedup = {0.5, 0.4, 0.6, true};
  run.attempts[2].estimate = 2;
  run.attempts.push_back(measured(4, "c4", 8));
  run.attempts[3].refusal = {.verdict = Verdict::NotFaster, .stage = Stage::Confirm, .detail = "slower at 2 shapes"};
  run.attempts.push_back({.iteration = 5, .agent = "openai:x"});
  return run;
}

TEST(RunReport, WhatConfirmRefusedIsNotAccepted) {
  const RunReport run = runOfAllKinds();
  const nlohmann::json attempt = reportJson({&run, 1})["runs"][0]["attempts"][3];
  EXPECT_EQ(attempt["verdict"], "refused");
  EXPECT_EQ(attempt["refused_by"], "confirm");
  EXPECT_EQ(attempt["refusal"], "slower at 2 shapes");
  EXPECT_THAT(reportCsv({&run, 1}), HasSubstr(",4,c4,refused,benchmark,"));
  EXPECT_THAT(reportCsv({&run, 1}), HasSubstr(",,,confirm,\r\n"));
  for (const std::string &text : {reportText({&run, 1}), reportMarkdown({&run, 1})}) {
    EXPECT_THAT(text, HasSubstr("refused by confirm"));
    EXPECT_LT(text.rfind("c2"), text.rfind("c4")); // the confirmed one is the better one
  }
}

TEST(RunReport, WhatWasOnlyComparedWithTheBestHasAnEstimate) {
  const RunReport run = runOfAllKinds();
  const nlohmann::json attempt = reportJson({&run, 1})["runs"][0]["attempts"][2];
  EXPECT_EQ(attempt["against_best"]["ratio"], 0.5);
  EXPECT_EQ(attempt["estimated_speedup"], 2);
  EXPECT_TRUE(attempt["speedup"].is_null());
  EXPECT_THAT(reportCsv({&run, 1}), HasSubstr(",slower,0.5,2,,\r\n"));
  for (const std::string &text : {reportText({&run, 1}), reportMarkdown({&run, 1})})
    EXPECT_THAT(text, HasSubstr("about 2.00x"));
}

TEST(RunReport, TheTableFitsATerminal) {
  RunReport run = runOfAllKinds();
  for (ReportAttempt &attempt : run.attempts)
    attempt.origin = "builtin: strip-mine(j, block=64); interchange(j, k); unroll(4); and so on, and on, and on";
  for (const char *agent : {"openai:x", "builtin"})
    run.agents.push_back({.name = agent});
  const std::string text = reportText({&run, 1});
  const std::string table = text.substr(text.find("\n\n") + 2);
  for (const std::string &line : split(table, '\n'))
    EXPECT_LE(displayColumns(line), 110u) << line;
  EXPECT_THAT(table, HasSubstr("  made by\n"));
  EXPECT_THAT(table, HasSubstr("  builtin: strip-mine"));
}

TEST(RunReport, TitlesOfTheEnvironmentAreForeign) {
  RunReport run = recordedRun();
  run.environment = {{"CPU", "x"}, {"**@someone** #1", "y"}};
  const std::string text = reportMarkdown({&run, 1});
  EXPECT_THAT(text, HasSubstr("- CPU: `x`\n"));
  EXPECT_THAT(text, HasSubstr("- `**@someone** #1`: `y`\n"));
}

TEST(RunReport, MarkdownShowsForeignTextAsCode) {
  const std::string text = reportMarkdown(hostileRun("@someone #1 | <b>`x`\n## y \x1b[31m"));
  EXPECT_THAT(text, Not(HasSubstr("\n## y")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr(" @someone")));
}

TEST(RunReport, TextMovesNoCursorAndTurnsNothingAround) {
  const std::string text = reportText(hostileRun("a\x1b[2J\xe2\x80\xae"
                                                 "b\xc2\x9b"));
  for (const char *bad : {"\x1b", "\xe2\x80\xae", "\xc2\x9b"})
    EXPECT_THAT(text, Not(HasSubstr(bad)));
  EXPECT_THAT(text, HasSubstr("\\x1b[2J"));
}

TEST(RunReport, TextAndMarkdownWriteTheSameFigures) {
  const RunReport run = recordedRun();
  const std::string ratio = ratioText(*run.speedup), time = nanoseconds(1234567);
  for (const std::string &text : {reportText({&run, 1}), reportMarkdown({&run, 1})}) {
    EXPECT_THAT(text, HasSubstr(ratio));
    EXPECT_THAT(text, HasSubstr(time));
  }
  EXPECT_EQ(reportJson({&run, 1})["runs"][0]["speedup"]["ratio"], 4.0);
}

TEST(RunReport, AnUnfinishedRunWithoutAttemptsIsReported) {
  const RunReport run{.name = "r", .kernel = "gemm"};
  EXPECT_THAT(reportText({&run, 1}), HasSubstr("unfinished"));
  EXPECT_THAT(reportMarkdown({&run, 1}), HasSubstr("none confirmed"));
  EXPECT_EQ(reportJson({&run, 1})["runs"][0]["attempts"].size(), 0u);
}

} // namespace
} // namespace agentic
