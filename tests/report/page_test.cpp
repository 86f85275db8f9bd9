#include "tests/report/page_fixture.h"
#include "tool/report/html_text.h"
#include "tool/report/line_diff.h"
#include "tool/report/page.h"
#include "tool/report/page_data.h"
#include "tool/report/page_html.h"
#include "tool/report/run_report.h"
#include "tool/report/run_stages.h"
#include "tool/report/text_pack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t countOf(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

TEST(HtmlText, EscapesMarkupAndShowsWhatIsUnseen) {
  EXPECT_EQ(htmlText("<a b='1' c=\"2\">&"), "&lt;a b=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
  EXPECT_EQ(htmlText("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(htmlText(std::string("\0\x1B", 2)), "&#9216;&#9243;");
  EXPECT_EQ(htmlText("\xE2\x80\xAE\xC2\x9B\x7F"), "⟨U+202E⟩⟨U+009B⟩⟨U+007F⟩");
  EXPECT_EQ(htmlText("é→😀"), "é→😀");
}

TEST(HtmlText, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(htmlText("a\xFF\xC0\xAF"), "a\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(htmlText("\xE2\x80"), "\uFFFD\uFFFD");           // cut off
  EXPECT_EQ(htmlText("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD"); // a surrogate
}

TEST(HtmlText, ClipsBetweenCharacters) {
  EXPECT_EQ(clippedText("abc", 3), "abc");
  EXPECT_EQ(clippedText("aéé", 2), "a … 4 more bytes");
}

TEST(ScriptJson, HoldsNothingThatEndsAScript) {
  const std::string text = scriptJson({{"a", "</script><!--<script>&\u2028\u2029\x01"}, {"b", "\xFF"}});
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_THAT(text, Not(HasSubstr(">")));
  EXPECT_THAT(text, Not(HasSubstr("\u2028")));
  EXPECT_EQ(nlohmann::json::parse(text).at("a"), "</script><!--<script>&\u2028\u2029\x01");
}

TEST(PolicyHash, IsThatOfTheSpecification) {
  // The example of Content Security Policy Level 2: alert('Hello, world.');
  EXPECT_EQ(policyHash("alert('Hello, world.');"), "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
}

TEST(FilledTemplate, DoesNotLookAtValuesAgain) {
  EXPECT_EQ(filledTemplate("a{{x}}b{{y}}c{{", [](std::string_view name) { return name == "x" ? "{{y}}" : "2"; }),
            "a{{y}}b2c{{");
}

TEST(TextPack, KeepsEqualTextsOnce) {
  TextPack pack;
  EXPECT_EQ(pack.add("one"), 0);
  EXPECT_EQ(pack.add("two"), 1);
  EXPECT_EQ(pack.add("one"), 0);
  EXPECT_EQ(pack.add(""), -1);
  pack.finish();
  EXPECT_EQ(pack.blocks().size(), 1u);
  EXPECT_EQ(pack.places(), (std::vector<std::size_t>{0, 0, 3, 0, 3, 3}));
}

TEST(TextPack, StartsABlockWhenOneIsFull) {
  TextPack pack;
  pack.add(std::string(1 << 20, 'a'));
  pack.add(std::string(200 << 10, 'b'));
  pack.add(std::string(100 << 10, 'c'));
  pack.finish();
  ASSERT_EQ(pack.blocks().size(), 3u);
  EXPECT_LT(pack.blocks()[0].size(), 10'000u);
}

std::string shape(std::string_view left, std::string_view right) {
  std::string rows;
  for (const DiffRow &row : lineDiff(left, right).rows)
    rows += row.isSame ? '=' : row.left < 0 ? '+' : row.right < 0 ? '-' : '~';
  return rows;
}

TEST(LineDiff, PairsWhatReplacesOneAnother) {
  EXPECT_EQ(shape("", ""), "");
  EXPECT_EQ(shape("a\nb\nc\n", "a\nb\nc\n"), "===");
  EXPECT_EQ(shape("a\nb\nc\n", "a\nx\nc\n"), "=~=");
  EXPECT_EQ(shape("a\nc\n", "a\nb\nc\n"), "=+=");
  EXPECT_EQ(shape("a\nb\nc\n", "a\nc\n"), "=-=");
  EXPECT_EQ(shape("a\nb\nk\nc\nd\n", "k\nx\nd\n"), "--=~=");
  EXPECT_EQ(shape("a\na\n", "a\n"), "=-");
  EXPECT_EQ(shape("", "a\nb"), "++");
}

TEST(LineDiff, ShowsHugeDifferencesAsReplaced) {
  std::string left, right;
  for (int line = 0; line < 5000; ++line) {
    left += "l" + std::to_string(line) + "\n";
    right += "r" + std::to_string(line) + "\n";
  }
  EXPECT_EQ(shape(left, right), std::string(5000, '~'));
}

TEST(DifferenceHtml, LeavesOutEqualLinesFarFromAChange) {
  std::string left;
  for (int line = 0; line < 40; ++line)
    left += std::to_string(line) + "\n";
  const std::string html = differenceHtml(left, "new\n" + left);
  EXPECT_THAT(html, HasSubstr("36 equal lines"));
  EXPECT_THAT(html, HasSubstr("<td class=\"text added\">new</td>"));
}

TEST(Page, HasOneElementOfEachScriptWhateverTheTextsAre) {
  const PageFixture fixture = hostilePage();
  const std::string html = pageHtml(fixture.page, {});
  EXPECT_EQ(countOf(html, "<script"), countOf(pageHtml(usualPage().page, {}), "<script"));
  EXPECT_EQ(countOf(html, "<img"), 0u);
  EXPECT_EQ(countOf(html, "\x1B"), 0u);
  EXPECT_EQ(countOf(html, "\xE2\x80\xAE"), 0u);
  EXPECT_LT(html.size(), 4u << 20);
}

TEST(Page, AsksForNothingUnlessItFollows) {
  const PageFixture fixture = usualPage();
  EXPECT_THAT(pageHtml(fixture.page, {}), Not(HasSubstr("connect-src")));
  EXPECT_THAT(pageHtml(fixture.page, {.followState = "7"}), HasSubstr("connect-src 'self'"));
}

TEST(Page, OfNothingIsAPage) {
  EXPECT_THAT(pageHtml({}, {}), HasSubstr("No runs"));
  PageModel empty;
  empty.runs.emplace_back();
  EXPECT_THAT(pageHtml(empty, {}), HasSubstr("the baseline"));
}

TEST(Page, HoldsTheBest200WithoutScriptsAndStaysSmall) {
  const PageFixture fixture = longPage(10'000);
  const std::string html = pageHtml(fixture.page, {});
  EXPECT_LT(html.size(), 15u << 20);
  const std::string table = candidatesHtml(fixture.page);
  EXPECT_EQ(countOf(table, "<tr><td>"), 200u);
  EXPECT_THAT(table, HasSubstr("The best 200 of 10000"));
}

TEST(PageModel, IsMadeOfARun) {
  RunReport run;
  run.kernel = "dot";
  run.level = "x86-64-v3";
  run.winner = "c1";
  run.speedup = Speedup{2, 1.9, 2.1, true, true};
  run.baselineSource = "int old;\n";
  run.sources = {{"c1", "int fast;\n"}};
  run.lineage = {"c1"};
  run.rejectedByCheck = {{"globals", 1}};
  run.rejectedByStage = {{"check", 1}, {"test", 2}};
  run.baselineInsight = {{"Hot loop", "slow", ""}};
  run.winnerInsight = {{"Hot loop", "fast", "estimated"}};
  run.baselineNs = 1000;
  run.winnerNs = 500;
  run.attempts.resize(3);
  run.attempts[0].candidate = "c0";
  run.attempts[0].evaluation.findings = {{"globals", "dot.cpp", 4, 1, "a global"}};
  run.attempts[1].candidate = "c1";
  run.attempts[1].origin = "builtin: unroll(4)";
  run.attempts[1].evaluation.verdict = Verdict::Accepted;
  run.attempts[1].evaluation.stage = Stage::Benchmark;
  run.attempts[1].evaluation.measurement.emplace().speedup = *run.speedup;
  const PageModel page = pageModel({&run, 1});
  ASSERT_EQ(page.runs.size(), 1u);
  const PageRun &shown = page.runs[0];
  EXPECT_EQ(shown.name, "dot on x86-64-v3");
  EXPECT_EQ(shown.attempts[0].check, "globals");
  EXPECT_EQ(shown.attempts[0].texts[0].second, "globals in dot.cpp:4: a global\n");
  EXPECT_EQ(shown.attempts[1].source, "int fast;\n");
  EXPECT_EQ(shown.attempts[1].speedup->ratio, 2);
  EXPECT_EQ(shown.attempts[2].verdict, "reply");
  EXPECT_EQ(shown.times, "1.00 us → 500 ns");
  EXPECT_EQ(shown.rejected, (std::vector<std::pair<std::string, std::size_t>>{{"check: globals", 1}, {"test", 2}}));
  EXPECT_EQ(shown.lineage[0].text, "builtin: unroll(4)");
  ASSERT_EQ(shown.comparisons.size(), 1u);
  EXPECT_EQ(shown.comparisons[0].after.text, "fast");
  EXPECT_EQ(shown.comparisons[0].after.note, "estimated");
  EXPECT_EQ(shown.comparisons[0].before.note, "");
  EXPECT_THAT(reportPage({&run, 1}, {}), HasSubstr("2.00x"));
}

ReportAttempt acceptedAttempt(const std::string &id, double ratio) {
  ReportAttempt attempt{.iteration = 1, .candidate = id};
  attempt.evaluation.verdict = Verdict::Accepted;
  attempt.evaluation.stage = Stage::Benchmark;
  attempt.evaluation.measurement.emplace().speedup = {ratio, ratio, ratio, true};
  return attempt;
}

TEST(PageModel, WhatConfirmRefusedIsNotAcceptedAndSaysWhy) {
  RunReport run{.kernel = "dot"};
  run.attempts = {acceptedAttempt("c1", 3)};
  run.attempts[0].refusal = {.verdict = Verdict::NotFaster, .stage = Stage::Confirm, .detail = "slower at 2 shapes"};
  const PageModel page = pageModel({&run, 1});
  const PageAttempt &shown = page.runs[0].attempts[0];
  EXPECT_EQ(shown.verdict, "refused");
  EXPECT_EQ(shown.stage, "confirm");
  EXPECT_EQ(shown.texts, (TextPairs{{"Why it was refused by confirm", "slower at 2 shapes"}}));
  EXPECT_THAT(summaryHtml(page), HasSubstr("0 accepted"));
}

TEST(PageModel, RunsOfOneKernelAreToldApart) {
  RunReport run{.kernel = "dot", .level = "v3", .family = "clang", .started = "2026-11-23T13:44:18Z"};
  run.attempts = {acceptedAttempt("c1", 3)};
  run.agents = {{.name = "builtin"}};
  const std::vector<RunReport> runs = {run, run};
  const PageModel page = pageModel(runs);
  EXPECT_EQ(page.runs[1].name, "run 2: dot on v3, clang (2026-11-23T13:44:18Z)");
  EXPECT_EQ(page.agents[1].name, "run 2: builtin");
  EXPECT_THAT(candidatesHtml(page), HasSubstr("<td class=\"no-script\">run 2</td>"));
  EXPECT_THAT(candidatesHtml(pageModel({&run, 1})), Not(HasSubstr("run 1")));
}

TEST(Page, SaysWhetherNothingWasFoundOrNobodyLooked) {
  PageModel page;
  page.runs.emplace_back();
  page.runs[0].comparisons = {{"Remarks", {"", "", true}, {}}};
  const std::string html = sectionsHtml(page);
  EXPECT_THAT(html, HasSubstr("<h3>before</h3>\n<p class=\"empty\">None.</p>"));
  EXPECT_THAT(html, HasSubstr("<h3>after</h3>\n<p class=\"empty\">Not looked at.</p>"));
  page.runs[0].comparisons[0].hasAfter = false; // no winner
  EXPECT_THAT(sectionsHtml(page), Not(HasSubstr("<h3>after</h3>")));
}

TEST(Page, AnOrdinaryEndIsNoWarning) {
  PageFixture fixture = usualPage();
  EXPECT_THAT(summaryHtml(fixture.page), HasSubstr("<p class=\"hint\">The run ended"));
  fixture.page.runs[0].hasEnded = false;
  EXPECT_THAT(summaryHtml(fixture.page), HasSubstr("<p class=\"note\">"));
}

TEST(Page, WhoMadeNoCallsHasNoTimeInThem) {
  const std::string html = sectionsHtml(usualPage().page);
  EXPECT_THAT(html, HasSubstr("<td>built-in</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">–</td><td class=\"number\">–</td></tr>"));
}

TEST(Stages, StandInTheOrderOfARunAndCoverAllOfIt) {
  using Stages = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(
      orderedStages(
          {{"write-back", 3}, {"benchmark", 9}, {"new-one", 1}, {"check", 2}, {"preparing", 4}, {"confirm", 5}}, 6, 40),
      (Stages{{"preparing", 4},
              {"calls of models", 6},
              {"check", 2},
              {"benchmark", 9},
              {"new-one", 1},
              {"confirm", 5},
              {"write-back", 3},
              {"other", 10}}));
  EXPECT_EQ(orderedStages({{"check", 2}}, 0, 1), (Stages{{"check", 2}})); // an unfinished run may know less of its time
}

TEST(PageData, HasNoNumbersThatJsonLacks) {
  TextPack pack;
  const PageFixture fixture = hostilePage();
  const nlohmann::json data = pageData(fixture.page, "", pack);
  const nlohmann::json &attempts = data.at("runs").at(0).at("attempts");
  EXPECT_TRUE(attempts.at("ratio").at(5).is_null());
  for (const auto &[name, column] : attempts.items())
    EXPECT_EQ(column.size(), fixture.page.runs[0].attempts.size()) << name;
}

TEST(PageTree, IsNestedListsOfWhatWasMadeFromWhat) {
  RunReport run{.name = "r"};
  for (int i = 1; i <= 4; ++i) {
    ReportAttempt attempt{.iteration = i, .candidate = "c" + std::to_string(i)};
    attempt.role = i == 2 ? "fixer" : "coder";
    attempt.model = "<b>model</b>";
    attempt.plan = i == 3 ? "a <script> plan" : "";
    run.attempts.push_back(std::move(attempt));
  }
  run.strategy = "islands";
  run.tree = {
      {.depth = 0, .attempt = 0}, {.depth = 1, .attempt = 1}, {.depth = 2, .attempt = 2}, {.depth = 0, .attempt = 3}};
  run.cells = {{.population = 0, .traits = "memory, <64>", .candidate = "c3"}};
  run.roles["judge"] = {.calls = 2};
  run.judge = "2 read";
  const std::string html = sectionsHtml(pageModel({&run, 1}));
  const std::size_t begin = html.find("<ul class=\"tree\">");
  ASSERT_NE(begin, html.npos);
  const std::string tree = html.substr(begin, html.find("</section>", begin) - begin);
  EXPECT_EQ(countOf(tree, "<ul"), 3u);
  EXPECT_EQ(countOf(tree, "</ul>"), 3u);
  EXPECT_EQ(countOf(tree, "<li>"), 4u);
  EXPECT_EQ(countOf(tree, "</li>"), 4u);
  EXPECT_LT(tree.find("c3"), tree.find("</ul>"));
  EXPECT_LT(tree.find("</ul></li>\n</ul></li>"), tree.find("c4"));
  EXPECT_THAT(tree, HasSubstr("&lt;b&gt;model&lt;/b&gt; as fixer"));
  EXPECT_THAT(html, Not(HasSubstr("<script> plan")));
  EXPECT_THAT(html, HasSubstr("memory, &lt;64&gt;"));
  EXPECT_THAT(html, HasSubstr("The judge: 2 read"));
  EXPECT_THAT(html, HasSubstr("as the strategy islands asked"));
}

TEST(PageTree, HypothesesAreATableWithWhatCameOfThem) {
  RunReport run{.name = "r"};
  EXPECT_THAT(sectionsHtml(pageModel({&run, 1})), Not(HasSubstr("Hypotheses")));
  run.hypotheses = {{.number = 1, .what = "a <script> idea", .why = "less & less"}};
  const std::string html = sectionsHtml(pageModel({&run, 1}));
  EXPECT_THAT(html, HasSubstr("<td>1. a &lt;script&gt; idea: less &amp; less</td><td>not tried</td>"));
}

TEST(PageTree, HoldsSoManyLinesAndSaysHowManyAreLeft) {
  RunReport run{.name = "r"};
  run.attempts.push_back({.iteration = 1, .candidate = "c1"});
  for (int i = 0; i < 700; ++i)
    run.tree.push_back({.depth = i, .attempt = 0});
  const std::string html = sectionsHtml(pageModel({&run, 1}));
  EXPECT_THAT(html, HasSubstr("And 200 more."));
  EXPECT_EQ(countOf(html, "<ul"), countOf(html, "</ul>"));
  EXPECT_LT(countOf(html, "<ul"), 30u) << "it is not as deep as a journal may be";
}

} // namespace
} // namespace agentic
