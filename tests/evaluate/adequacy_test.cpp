// Tests adequacy's figures and their cache; whole jobs are in tests/e2e.
#include "tool/evaluate/adequacy/adequacy_cache.h"

#include "tool/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

JudgedMutant mutant(const std::string &kind, bool killed) {
  return {.kind = kind,
          .line = 3,
          .column = 7,
          .change = "`a` becomes `b`",
          .advice = "look",
          .killed = killed,
          .killedBy = killed ? "Suite.Test" : ""};
}

Adequacy someAdequacy() {
  Adequacy adequacy{.kernel = "k", .source = "/project/k.cpp", .mutants = {}};
  adequacy.mutants = {mutant("zeros", true), mutant("narrowed", false), mutant("operator", true),
                      mutant("constant", true)};
  adequacy.equivalent = 2;
  adequacy.notTried = 1;
  return adequacy;
}

TEST(Adequacy, CountsWhatWasTried) {
  const Adequacy adequacy = someAdequacy();
  EXPECT_EQ(adequacy.killed(), 3);
  EXPECT_EQ(adequacy.total(), 4);
  EXPECT_DOUBLE_EQ(adequacy.percent(), 75);
  EXPECT_THAT(adequacy.survivors(), ElementsAre(Field(&JudgedMutant::kind, "narrowed")));
  EXPECT_DOUBLE_EQ(Adequacy().percent(), 100);
}

class AdequacyCacheTest : public ::testing::Test {
protected:
  std::string file() const { return (scratch_.path() / "adequacy.json").string(); }

private:
  ScratchDirectory scratch_ = std::move(ScratchDirectory::create("/tmp", "agentic-adequacy-").value());
};

TEST_F(AdequacyCacheTest, ComesBackAsItWas) {
  AdequacyCache cache{.outcomes = {{"abc", {MutantOutcome::State::Killed, "Suite.Test"}},
                                   {"def", {MutantOutcome::State::Equivalent, ""}}},
                      .mostMutants = 24,
                      .report = someAdequacy()};
  ASSERT_TRUE(saveAdequacy(file(), "key", cache));
  const AdequacyCache loaded = loadAdequacy(file(), "key");
  ASSERT_EQ(loaded.outcomes.size(), 2u);
  EXPECT_EQ(loaded.outcomes.at("abc").killedBy, "Suite.Test");
  EXPECT_EQ(loaded.outcomes.at("def").state, MutantOutcome::State::Equivalent);
  EXPECT_EQ(loaded.mostMutants, 24);
  EXPECT_EQ(loaded.report.source, "/project/k.cpp");
  EXPECT_EQ(loaded.report.notTried, 1);
  EXPECT_EQ(loaded.report.equivalent, 2);
  ASSERT_EQ(loaded.report.total(), 4);
  EXPECT_EQ(loaded.report.mutants[1].advice, "look");
  EXPECT_EQ(loaded.report.mutants[1].column, 7u);
  EXPECT_FALSE(loaded.report.mutants[1].killed);
}

TEST_F(AdequacyCacheTest, OfAnotherKeyOrDamagedIsAbsent) {
  ASSERT_TRUE(saveAdequacy(file(), "key", {.outcomes = {}, .mostMutants = 24, .report = someAdequacy()}));
  EXPECT_EQ(loadAdequacy(file(), "other").mostMutants, 0);
  ASSERT_TRUE(writeFileAtomic(file(), "{\"schema\": 1, \"key\": \"key\", \"outcomes\": {\"a\": 7}}"));
  EXPECT_THAT(loadAdequacy(file(), "key").outcomes, IsEmpty());
  ASSERT_TRUE(writeFileAtomic(file(), "{"));
  EXPECT_EQ(loadAdequacy(file(), "key").mostMutants, 0);
}

} // namespace
} // namespace agentic
