#include "tool/report/verification_report.h"

#include "tool/report/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

Verification sample() {
  VerifiedVariant good;
  good.kernel = "dot";
  good.source = "/p/src/dot.cpp";
  good.level = "x86-64-v3";
  good.family = "clang";
  good.file = "/p/src/generated/dot/dot.x86-64-v3.clang.cpp";
  good.standing = Standing::Holds;
  good.recorded = {2, 1.9, 2.1, true};
  good.measured = Speedup{1.8, 1.75, 1.85, true, true};
  good.codeBytes = 512;
  good.warnings = {"tuned on A, verified on B"};
  VerifiedVariant bad = good;
  bad.level = "x86-64-v4";
  bad.file = "/p/src/generated/dot/dot.x86-64-v4.clang.cpp";
  bad.standing = Standing::Fails;
  bad.what = "tests";
  bad.problem = "1 test fails: Dot.`<b>&\"@me #1` | x";
  bad.next = "build the target optimize-dot";
  bad.measured.reset();
  bad.warnings.clear();
  VerifiedVariant none;
  none.kernel = "sum";
  none.source = "/p/src/sum.cpp";
  none.problem = "no variants";
  none.next = "build the target optimize-sum";
  return {.machine = "CPU", .compiler = "Clang 19", .interrupted = false, .rows = {good, bad, none}};
}

TEST(VerificationReport, OnlyWhatFailsCounts) {
  Verification verification = sample();
  EXPECT_FALSE(allHold(verification));
  verification.rows.erase(verification.rows.begin() + 1);
  EXPECT_TRUE(allHold(verification));
  EXPECT_TRUE(allHold({}));
}

TEST(VerificationReport, TextNamesProblemAndNextStep) {
  EXPECT_EQ(verificationText(sample()), "kernel  level      compiler  standing     now      interval  recorded   code\n"
                                        "dot     x86-64-v3  clang     holds      1.80x  [1.75, 1.85]     2.00x  512 B\n"
                                        "dot     x86-64-v4  clang     fails                              2.00x  512 B\n"
                                        "sum                          not-tried\n"
                                        "dot x86-64-v3 clang: warning: tuned on A, verified on B\n"
                                        "dot x86-64-v4 clang: tests: 1 test fails: Dot.`<b>&\"@me #1` | x\n"
                                        "  next: build the target optimize-dot\n"
                                        "sum: no variants\n"
                                        "  next: build the target optimize-sum\n"
                                        "1 hold, 1 fail, 1 not tried\n");
}

TEST(VerificationReport, MarkdownKeepsForeignTextInCodeSpans) {
  const std::string text = verificationMarkdown(sample());
  EXPECT_THAT(text, HasSubstr("| `dot` | `x86-64-v3` | `clang` | holds | 1.80x | [1.75, 1.85] | 2.00x | 512 B |"));
  EXPECT_THAT(text, HasSubstr("`tests: 1 test fails: Dot.'<b>&\"@me #1'   x`"));
}

TEST(VerificationReport, JsonHasNullsForWhatThereIsNot) {
  const nlohmann::json json = verificationJson(sample());
  EXPECT_EQ(json["holds"], false);
  EXPECT_EQ(json["kernels"][0]["measured"]["ratio"], 1.8);
  EXPECT_TRUE(json["kernels"][1]["measured"].is_null());
  EXPECT_TRUE(json["kernels"][2]["level"].is_null());
  EXPECT_EQ(json["kernels"][2]["standing"], "not-tried");
}

TEST(VerificationReport, SarifPointsAtTheVariant) {
  const auto log = nlohmann::json::parse(verificationSarif(sample(), "/p", "1.0"));
  EXPECT_EQ(log["version"], "2.1.0");
  const auto &results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[0]["ruleId"], "tests");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "src/generated/dot/dot.x86-64-v4.clang.cpp");
  EXPECT_EQ(results[1]["level"], "note");
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["rules"].size(), 2u);
}

TEST(VerificationReport, JunitCountsAndEscapes) {
  const std::string text = verificationJunit(sample());
  EXPECT_THAT(text, HasSubstr("tests=\"3\" failures=\"1\" skipped=\"1\""));
  EXPECT_THAT(text, HasSubstr("&lt;b&gt;&amp;&quot;@me"));
  EXPECT_THAT(text, Not(HasSubstr("<b>")));
  EXPECT_EQ(escapeXml("a\x01\n"), "a?\n");
}

} // namespace
} // namespace agentic
