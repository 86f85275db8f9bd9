#include "tool/report/suite_report.h"

#include "tool/base/text.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

SuiteRow row(const std::string &kernel, double ratio) {
  SuiteRow row;
  row.kernel = kernel;
  row.correct = true;
  row.improved = ratio > 1;
  row.speedup = Speedup{ratio, 0.9 * ratio, 1.1 * ratio, true, true};
  row.baselineNs = 2e6;
  row.bestNs = 2e6 / ratio;
  row.candidates = 7;
  row.seconds = 61.2;
  return row;
}

SuiteRow failed(const std::string &kernel) {
  SuiteRow row;
  row.kernel = kernel;
  row.reason = "failed: its tests let an empty body pass";
  return row;
}

Suite exampleSuite() {
  Suite suite{.machine = "AMD EPYC", .compiler = "Clang 19.1.7", .agent = "builtin", .maxSeconds = 60};
  suite.rows = {row("sgemm", 8), row("copy", 1), failed("broken")};
  suite.rows[0].origin = "builtin: strip-mine(j, block=32)";
  suite.rows[0].expertPercent = 97.5;
  suite.rows[0].expert = "OpenBLAS";
  suite.rows[0].bandwidthPercent = 2.2;
  suite.rows[0].memoryLevel = "L2";
  suite.rows[1].reason = "memory-bound at 83 % of the measured L2 bandwidth; \"odd\", a|b_c\nd";
  return suite;
}

TEST(Summary, FastXIsAShareOfAllKernels) {
  const SuiteSummary summary = summarize({row("a", 1), row("b", 1.5), row("c", 2), row("d", 4), failed("e")});
  EXPECT_DOUBLE_EQ(summary.fast1, 0.8);
  EXPECT_DOUBLE_EQ(summary.fast1_5, 0.6);
  EXPECT_DOUBLE_EQ(summary.fast2, 0.4);
  EXPECT_DOUBLE_EQ(summary.fast4, 0.2);
  EXPECT_NEAR(summary.geometricMean, std::pow(12.0, 0.2), 1e-12); // the failed one counts as 1
}

TEST(Summary, OnlyWhatIsCorrectIsFast) {
  SuiteRow wrong = row("wrong", 16);
  wrong.correct = false;
  EXPECT_DOUBLE_EQ(summarize({wrong}).fast1, 0);
  EXPECT_DOUBLE_EQ(summarize({wrong}).geometricMean, 1);
  EXPECT_DOUBLE_EQ(summarize({row("slower", 0.99)}).fast1, 0);
}

TEST(Summary, ExpertsAreTheMeasureWhereThereAreSome) {
  std::vector<SuiteRow> rows = {row("as fast", 4), row("half as fast", 2), row("no gain", 1), row("no expert", 9)};
  rows[0].expertPercent = 100; // the expert gains 4x
  rows[1].expertPercent = 50;  // 4x
  rows[2].expertPercent = 80;  // 1.25x: nobody gains 1.5x there
  const SuiteSummary summary = summarize(rows);
  EXPECT_DOUBLE_EQ(summary.medianExpertPercent.value_or(0), 80);
  EXPECT_DOUBLE_EQ(summary.fast1_5WhereExpert.value_or(0), 1);
  rows[2].expertPercent = 40; // 2.5x, which was missed
  EXPECT_NEAR(summarize(rows).fast1_5WhereExpert.value_or(0), 2.0 / 3, 1e-12);
  EXPECT_FALSE(summarize({row("no expert", 9)}).medianExpertPercent);
  EXPECT_THAT(suiteText({.rows = rows}),
              HasSubstr("median 50 % of an expert's speed, faster by 1.5x where the expert is: 67 %"));
}

TEST(Summary, OfNothing) {
  EXPECT_DOUBLE_EQ(summarize({}).geometricMean, 1);
  EXPECT_DOUBLE_EQ(summarize({}).fast1, 0);
}

TEST(Json, HasTheAgreedShape) {
  const nlohmann::json json = suiteJson(exampleSuite());
  ASSERT_EQ(json["kernels"].size(), 3u);
  const nlohmann::json &first = json["kernels"][0];
  EXPECT_EQ(first["kernel"], "sgemm");
  EXPECT_EQ(first["speedup"], (nlohmann::json{{"ratio", 8.0}, {"low", 7.2}, {"high", 8.8}, {"estimate", false}}));
  EXPECT_EQ(first["expert_percent"], 97.5);
  EXPECT_EQ(first["reason"], nullptr);
  EXPECT_EQ(json["kernels"][1]["expert_percent"], nullptr);
  EXPECT_EQ(json["kernels"][2]["speedup"], nullptr);
  EXPECT_EQ(json["kernels"][2]["correct"], false);
  EXPECT_NEAR(json["geometric_mean"].get<double>(), 2, 1e-12);
  EXPECT_NEAR(json["fast_1"].get<double>(), 2.0 / 3, 1e-12);
  for (const char *share : {"fast_1.5", "fast_2", "fast_4"})
    EXPECT_NEAR(json[share].get<double>(), 1.0 / 3, 1e-12) << share;
  EXPECT_EQ(json["machine"], "AMD EPYC");
  EXPECT_EQ(json["compiler"], "Clang 19.1.7");
  EXPECT_EQ(json["interrupted"], false);
}

TEST(Text, IsAligned) {
  const std::vector<std::string> lines = split(suiteText(exampleSuite()), '\n');
  ASSERT_GE(lines.size(), 4u);
  EXPECT_THAT(lines[0], StartsWith("kernel  baseline"));
  EXPECT_THAT(lines[1], HasSubstr("8.00x  [7.20, 8.80]"));
  EXPECT_EQ(lines[1].find("8.00x") + 5, lines[0].find("speedup") + 7); // to the right
  EXPECT_EQ(lines[2].find("1.00x"), lines[1].find("8.00x"));
  EXPECT_THAT(lines[2], Not(HasSubstr("["))); // a ratio that is 1 by definition has no interval
  EXPECT_THAT(lines[3], HasSubstr("failed"));
  for (const std::string &line : lines)
    EXPECT_FALSE(line.ends_with(' ')) << line;
  EXPECT_THAT(suiteText(exampleSuite()), HasSubstr("geometric mean 2.00x"));
}

TEST(Text, ShowsTheNearestBound) {
  Suite suite = exampleSuite();
  EXPECT_THAT(suiteText(suite), HasSubstr("  2 % L2  "));
  suite.rows[0].arithmeticPercent = 61;
  EXPECT_THAT(suiteText(suite), HasSubstr("  61 % arithmetic  "));
  suite.rows[0].bandwidthPercent = 80;
  EXPECT_THAT(suiteText(suite), HasSubstr("  80 % L2  "));
}

TEST(Text, SaysWhatWasPromisedAndWhatCame) {
  Suite suite = exampleSuite();
  EXPECT_THAT(suiteText(suite), Not(HasSubstr("promised")));
  suite.rows[0].promises = {{"strip-mine(j, block=32)", 9.5, 8, "accepted"},
                            {"fission(j)", 2, {}, "rejected by check"}};
  EXPECT_THAT(suiteText(suite), HasSubstr("sgemm: what the estimate promised, and what came\n"
                                          "     9.50x    8.00x  strip-mine(j, block=32)  (accepted)\n"
                                          "     2.00x        -  fission(j)  (rejected by check)\n"));
  EXPECT_EQ(suiteJson(suite)["kernels"][0]["promises"][1],
            (nlohmann::json{
                {"recipe", "fission(j)"}, {"promised", 2.0}, {"came", nullptr}, {"verdict", "rejected by check"}}));
}

TEST(Text, OfNoKernelIsNoCrash) {
  Suite suite;
  suite.interrupted = true;
  EXPECT_THAT(suiteText(suite), HasSubstr("(interrupted)"));
}

TEST(Csv, QuotesWhatMustBeQuoted) {
  const std::string csv = suiteCsv(exampleSuite());
  EXPECT_THAT(csv, StartsWith("kernel,ratio,low,high,correct,improved,"));
  EXPECT_THAT(csv, HasSubstr("\nsgemm,8,7.2,8.8,true,true,2e+06,250000,97.5,OpenBLAS,2.2,L2,,7,61.2,"
                             "\"builtin: strip-mine(j, block=32)\",,AMD EPYC,Clang 19.1.7\n"));
  EXPECT_THAT(
      csv, HasSubstr(
               "\"memory-bound at 83 % of the measured L2 bandwidth; \"\"odd\"\", a|b_c d\"")); // a line end is none in
                                                                                                // a spreadsheet's cell
  EXPECT_THAT(csv, HasSubstr("\nbroken,,,,false,false,,,"));
}

TEST(Markdown, EscapesCells) {
  Suite suite = exampleSuite();
  suite.rows[0].memoryLevel = "a|b";
  const std::vector<std::string> lines = split(suiteMarkdown(suite), '\n');
  ASSERT_GE(lines.size(), 5u);
  EXPECT_THAT(lines[0], StartsWith("| kernel | baseline | best | speedup |"));
  EXPECT_THAT(lines[1], StartsWith("|---|---:|"));
  EXPECT_THAT(lines[2], StartsWith("| `sgemm` | 2.00 ms | 250 us | 8.00x | [7.20, 8.80] | 98 % | 2 % a\\|b |"));
  const std::string text = suiteMarkdown(suite);
  EXPECT_THAT(text, HasSubstr("- `copy`: memory-bound at 83 % of the measured L2 bandwidth; \"odd\", a\\|b\\_c d\n"));
}

} // namespace
} // namespace agentic
