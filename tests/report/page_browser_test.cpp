// Tests the page in a real browser, from file://. Needs Chromium, Node.js and the packages in
// tests/report/browser/package-lock.json.
#include "tests/report/page_fixture.h"
#include "tool/base/files.h"
#include "tool/base/money.h"
#include "tool/base/process.h"
#include "tool/model/figures.h"
#include "tool/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace agentic {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

MATCHER(IsWrittenAsInTheTerminal, "") {
  const double value = arg.at(0);
  return ExplainMatchResult(
      testing::Eq(json{value, seconds(value), nanoseconds(value), usdText(value), ratioText(value)}), arg,
      result_listener);
}

class PageInBrowser : public testing::Test {
protected:
  void SetUp() override {
    browser_ = findProgram("chromium");
    if (!browser_)
      GTEST_SKIP() << "chromium is not installed (apt-get install chromium)";
    if (!findProgram("node") || !fs::exists(fs::path(AGENTIC_BROWSER) / "installed"))
      GTEST_SKIP() << "playwright-core is not installed: 'ctest -R report_browser' installs it, with npm";
  }

  /// Returns what tests/report/browser/inspect.mjs sees of the page; null and a failure when it sees nothing.
  json seen(const PageFixture &fixture, const std::string &name, const char *views = "some") {
    Result<ScratchDirectory> scratch = ScratchDirectory::create(fs::temp_directory_path(), "agentic-page-");
    if (!scratch) {
      ADD_FAILURE() << scratch.error().message;
      return {};
    }
    const std::string file = scratch->path() / (name + ".html");
    const PageOptions options{.followState = views == std::string("follow") ? "1" : ""};
    const Result<void> written = writeScratch(file, pageHtml(fixture.page, options));
    ProcessSpec spec{.argv = {"node", "inspect.mjs", *browser_, file, views},
                     .workingDirectory = AGENTIC_BROWSER,
                     .timeoutSeconds = 500};
    if (const char *kept = std::getenv("AGENTIC_PAGE_SCREENSHOTS")) { // to look at them
      const fs::path folder = fs::path(kept) / name;
      fs::create_directories(folder);
      fs::copy_file(file, folder / "page.html", fs::copy_options::overwrite_existing);
      spec.argv.push_back(folder);
    }
    const Result<ProcessResult> ran = runProcess(spec);
    if (!written || !ran || !ran->ok()) {
      ADD_FAILURE() << (ran ? ran->describe() + "\n" + ran->err : "the page or node could not be used");
      return {};
    }
    return json::parse(ran->out);
  }

  /// Checks the properties of every page.
  void expectSound(const json &seen) {
    EXPECT_THAT(seen.at("figures"), testing::AllOf(testing::SizeIs(20), testing::Each(IsWrittenAsInTheTerminal())));
    EXPECT_EQ(seen.at("errors"), json::array());
    EXPECT_EQ(seen.at("requests"), json::array());
    for (const auto &[view, wide] : seen.at("overflow").items())
      EXPECT_EQ(wide, json::array()) << view;
    for (const auto &[view, violations] : seen.at("accessibility").items())
      EXPECT_EQ(violations, json::array()) << view;
    EXPECT_FALSE(seen.at("hacked"));
    EXPECT_EQ(seen.at("withoutScripts").at("canvases"), 0);
  }

  std::optional<std::string> browser_;
};

TEST_F(PageInBrowser, ShowsEveryAttemptAndItsSource) {
  const PageFixture fixture = usualPage();
  const json seen = this->seen(fixture, "usual", "all");
  ASSERT_TRUE(seen.is_object());
  expectSound(seen);
  const json &points = seen.at("charts").at("chart-iterations");
  int shown = 0;
  for (const auto &[verdict, count] : points.items())
    shown += verdict == "best so far" ? 0 : count.get<int>();
  EXPECT_EQ(shown, 60);
  for (const auto &[verdict, count] : std::map<std::string, int>{{"rejected", 17}, {"refused", 1}, {"reply", 3}})
    EXPECT_EQ(points.at(verdict), count) << verdict;
  EXPECT_FALSE(points.contains("not-faster")); // all of them lost against the best, and are estimates
  EXPECT_GT(points.at("not-faster (estimated)"), 20);
  EXPECT_GT(points.at("best so far"), 3);
  EXPECT_EQ(seen.at("charts").at("chart-stages").at("seconds"), 8);
  EXPECT_EQ(seen.at("charts").at("chart-rejected").at("candidates"), 7);
  EXPECT_EQ(seen.at("charts").at("chart-cost").size(), 1u); // the built-in search costs nothing
  EXPECT_EQ(seen.at("rows"), 50);
  EXPECT_EQ(seen.at("filtered"), 0);

  const json &clicked = seen.at("clicked");
  EXPECT_EQ(clicked.at("id"), fixture.page.runs[0].attempts[0].id); // rejected: the first set of points
  EXPECT_THAT(clicked.at("source"), HasSubstr("float dot(const float *a"));
  EXPECT_THAT(clicked.at("detail"), HasSubstr("a variable with static storage"));
  EXPECT_TRUE(clicked.at("closed"));
  EXPECT_THAT(seen.at("keys").at("status"), HasSubstr("Iteration 59"));
  EXPECT_EQ(seen.at("keys").at("outline"), "solid");
  EXPECT_TRUE(seen.at("keys").at("isOpen"));
  // Measured or estimated points are at their speedup, the others below the axis.
  EXPECT_EQ(seen.at("heights").at("wrong"), json::array());
  EXPECT_EQ(seen.at("opened").at("title"), fixture.page.runs[0].winner);
  EXPECT_EQ(seen.at("withoutScripts").at("rows"), 60);
  EXPECT_GE(seen.at("withoutScripts").at("tables"), 5);
}

TEST_F(PageInBrowser, RunsNothingOfWhatOthersWrote) {
  const json seen = this->seen(hostilePage(), "hostile");
  ASSERT_TRUE(seen.is_object());
  expectSound(seen);
  EXPECT_THAT(seen.at("clicked").at("source"), HasSubstr("</script><script>window.hacked=1"));
  EXPECT_THAT(seen.at("clicked").at("source"), HasSubstr("⟨U+202E⟩"));
  EXPECT_THAT(seen.at("clicked").at("source"), Not(HasSubstr("\x1B")));
}

TEST_F(PageInBrowser, OpensWithTenThousandAttempts) {
  const PageFixture fixture = longPage(10'000);
  const json seen = this->seen(fixture, "long");
  ASSERT_TRUE(seen.is_object());
  expectSound(seen);
  RecordProperty("openMilliseconds", seen.at("openMilliseconds").get<int>());
  int points = 0;
  for (const auto &[verdict, count] : seen.at("charts").at("chart-iterations").items())
    points += verdict == "best so far" ? 0 : count.get<int>();
  EXPECT_EQ(points, 10'000);
  EXPECT_EQ(seen.at("rows"), 50);
  EXPECT_EQ(seen.at("status"), "10000 of 10000 candidates");
  EXPECT_EQ(seen.at("withoutScripts").at("rows"), 200);
}

TEST_F(PageInBrowser, TellsRunsOfOneKernelApart) {
  const PageFixture fixture = pageOfRuns();
  const json seen = this->seen(fixture, "runs", "all");
  ASSERT_TRUE(seen.is_object());
  expectSound(seen);
  EXPECT_EQ(seen.at("charts").at("chart-wall").size(), 4u); // two agents in each
  EXPECT_TRUE(seen.at("charts").at("chart-wall").contains("run 2: built-in"));
  // An agent's spending, not the run's.
  EXPECT_EQ(seen.at("spent"), (json{{"run 1: model:example-large", 0.26}}));
  EXPECT_EQ(seen.at("withoutScripts").at("rows"), 120);
}

TEST_F(PageInBrowser, KeepsTheViewWhenItComesAnew) {
  const json seen = this->seen(pageOfRuns(), "followed", "follow");
  ASSERT_TRUE(seen.is_object());
  EXPECT_EQ(seen.at("before").at("text"), "built-in");
  EXPECT_EQ(seen.at("before").at("run"), "1");
  EXPECT_EQ(seen.at("before").at("sorted"), "Iteration ascending");
  EXPECT_EQ(seen.at("after"), seen.at("before"));
}

TEST_F(PageInBrowser, AFreeRunHasNoChartOfCost) {
  PageFixture fixture = pageOfRuns();
  fixture.page.runs.erase(fixture.page.runs.begin());
  const json seen = this->seen(fixture, "free");
  ASSERT_TRUE(seen.is_object());
  expectSound(seen);
  EXPECT_FALSE(seen.at("charts").contains("chart-cost"));
  EXPECT_FALSE(seen.at("isCostShown"));
}

TEST_F(PageInBrowser, ShowsARunThatHasJustBegun) {
  PageFixture fixture;
  fixture.page.runs.emplace_back();
  fixture.page.runs[0].name = "dot";
  const json seen = this->seen(fixture, "empty");
  ASSERT_TRUE(seen.is_object());
  expectSound(seen);
  EXPECT_EQ(seen.at("rows"), 0);
}

} // namespace
} // namespace agentic
