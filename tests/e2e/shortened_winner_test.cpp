// A winner with lines that contribute nothing ships without them, in the project's style.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gmock/gmock.h>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

// It walks the rows, which is at least 20 times as fast: the measurement decides it on any machine.
const std::string kPadded = R"(#include <cstddef>
static float never(float x) { return 2 * x; }
#define NOTHING 1
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  int planted = 3; // nobody reads it
  planted += NOTHING;
  if (planted > 100) {
    never(1.0f);
  }
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = 0.0f;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      sums[c] += matrix[r * columns + c];
}
)";
const std::vector<std::string> kPlanted = {"never", "planted", "nobody", "NOTHING"};

class ShortenedWinner : public testing::Test {
protected:
  void SetUp() override {
    project_.write(".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 7\n");
    project_.shortens = true;
    project_.write(".clang-tidy", "Checks: '-*,readability-braces-around-statements'\nHeaderFilterRegex: ''\n");
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
    ASSERT_TRUE(writeFileAtomic(seed_, kPadded));
  }

  Outcome optimize(std::vector<std::string> options) const {
    options.insert(options.begin(),
                   {"optimize", "--seed-from", seed_, "--max-iterations", "1", "--max-seconds", "2000"});
    return project_.tool(std::move(options));
  }
  std::string variant() const {
    for (const auto &entry : fs::directory_iterator(project_.source() / "generated"))
      if (entry.path().extension() == ".cpp")
        return readFile(entry.path()).value();
    return {};
  }

  Project project_{"examples/quickstart"};
  std::string seed_ = (project_.root() / "seed.cpp").string();
};

TEST_F(ShortenedWinner, ShipsWithoutWhatContributesNothing) {
  const Outcome outcome = optimize({});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_THAT(outcome.json.at("shortening").get<std::string>(), HasSubstr("the object code is the same"));
  EXPECT_THAT(outcome.json.at("shortening").get<std::string>(), HasSubstr("formatted in the project's style"));
  const std::string text = variant(), code = text.substr(text.find("#if"));
  for (const std::string &planted : kPlanted)
    EXPECT_THAT(code, Not(HasSubstr(planted)));
  EXPECT_THAT(code, HasSubstr("\n       for (std::size_t r = 0; r < rows; ++r)\n              for ("));
  EXPECT_THAT(text, HasSubstr("//   shortened    "));
  EXPECT_THAT(text, HasSubstr("//   why          "));
  if (findProgram("clang-tidy")) { // of the candidate's lines alone, and it refuses nothing
    EXPECT_THAT(text, HasSubstr("//   review       clang-tidy, line "));
  }
  // The journal's text is the shipped one, and every form of the report knows where it came from.
  const std::string winner = outcome.json.at("best").at("candidate");
  const auto kept = readFile(outcome.json.at("run_dir").get<std::string>() + "/candidates/" + winner + ".cpp");
  ASSERT_TRUE(kept);
  EXPECT_THAT(*kept, Not(HasSubstr("planted")));
  const Outcome report = project_.tool({"report"});
  const nlohmann::json run = report.json.at("runs").at(0);
  EXPECT_EQ(run.at("winner"), winner);
  EXPECT_EQ(run.at("winner_from"), run.at("attempts").at(0).at("candidate"));
  EXPECT_EQ(run.at("shortening"), outcome.json.at("shortening"));
  const Outcome explained = project_.tool({"explain", winner});
  EXPECT_THAT(explained.json.at("headline").get<std::string>(), HasSubstr("the winner"));
  const Outcome verified = project_.tool({"verify", "--no-benchmark"});
  EXPECT_EQ(verified.status, 0) << verified.all();
}

TEST_F(ShortenedWinner, KeepsEverythingWhereThatIsSwitchedOff) {
  const Outcome outcome = optimize({"--no-shorten", "--allow-uncovered"}); // nothing runs what was planted
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_EQ(outcome.json.at("shortening"), "formatted in the project's style");
  const std::string text = variant();
  for (const char *planted : {"never", "planted"}) // macros of a candidate are written out
    EXPECT_THAT(text, HasSubstr(planted));
}

} // namespace
} // namespace agentic::e2e
