#include "tests/knowledge/patterns.h"
#include "tool/knowledge/ranking.h"

namespace agentic {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PatternQuery queryFor(std::vector<std::string> words, std::vector<std::string> bounds = {}) {
  PatternQuery query;
  query.features.words = std::move(words);
  query.features.likelyBounds = std::move(bounds);
  query.permitted = {"reassociate"};
  query.level = "x86-64-v4";
  return query;
}

std::vector<std::string> namesOf(const std::vector<RankedPattern> &ranked) {
  std::vector<std::string> names;
  for (const RankedPattern &entry : ranked)
    names.push_back(entry.pattern->name);
  return names;
}

double scoreOf(const std::vector<RankedPattern> &ranked, const std::string &name) {
  for (const RankedPattern &entry : ranked)
    if (entry.pattern->name == name)
      return entry.score;
  return 0;
}

const std::vector<Pattern> kPatterns = fivePatterns();

TEST(Ranking, PutsTheMostSharedWordsFirst) {
  EXPECT_EQ(namesOf(rankPatterns(kPatterns, queryFor({"float", "reduction", "streaming"}), 5)).front(),
            "lanes-for-a-sum");
  EXPECT_EQ(namesOf(rankPatterns(kPatterns, queryFor({"integer", "reduction", "streaming"}), 5)).front(), "plain-sum");
  EXPECT_EQ(namesOf(rankPatterns(kPatterns, queryFor({"float", "matrix-product", "reduction"}), 5)).front(),
            "blocks-of-a-product");
}

TEST(Ranking, LetsARareWordCountMore) {
  const auto ranked = rankPatterns(kPatterns, queryFor({"histogram", "reduction", "streaming"}), 5);
  EXPECT_EQ(ranked.front().pattern->name, "several-histograms");
  EXPECT_THAT(ranked.front().matched, ElementsAre("histogram"));
}

TEST(Ranking, LeavesOutWhatSharesNothing) {
  EXPECT_THAT(namesOf(rankPatterns(kPatterns, queryFor({"byte"}), 5)),
              testing::UnorderedElementsAre("several-histograms", "wide-shuffles"));
  EXPECT_THAT(rankPatterns(kPatterns, queryFor({"sorting"}), 5), IsEmpty());
  EXPECT_EQ(rankPatterns(kPatterns, queryFor({"reduction"}), 2).size(), 2u);
}

TEST(Ranking, CountsWhatSpeaksAgainst) {
  const auto without = rankPatterns(kPatterns, queryFor({"float", "reduction"}), 5);
  const auto with = rankPatterns(kPatterns, queryFor({"branchy", "float", "reduction"}), 5);
  EXPECT_DOUBLE_EQ(scoreOf(with, "lanes-for-a-sum"), scoreOf(without, "lanes-for-a-sum") / 2);
  EXPECT_DOUBLE_EQ(scoreOf(with, "plain-sum"), scoreOf(without, "plain-sum"));
  for (const RankedPattern &entry : with)
    if (entry.pattern->name == "lanes-for-a-sum") {
      EXPECT_THAT(entry.against, ElementsAre("branchy"));
    }
}

TEST(Ranking, PrefersWhatMovesTheBound) {
  const auto latency = rankPatterns(kPatterns, queryFor({"reduction", "streaming"}, {"latency"}), 5);
  const auto memory = rankPatterns(kPatterns, queryFor({"reduction", "streaming"}, {"memory"}), 5);
  EXPECT_GT(scoreOf(latency, "lanes-for-a-sum"), scoreOf(memory, "lanes-for-a-sum"));
  EXPECT_LT(scoreOf(latency, "plain-sum"), scoreOf(memory, "plain-sum"));
  // What was measured counts, not what the form suggests.
  PatternQuery measured = queryFor({"reduction", "streaming"}, {"memory"});
  measured.features.measuredBounds = {"latency"};
  EXPECT_DOUBLE_EQ(scoreOf(rankPatterns(kPatterns, measured, 5), "lanes-for-a-sum"),
                   scoreOf(latency, "lanes-for-a-sum"));
}

TEST(Ranking, NamesWhatIsNeeded) {
  PatternQuery query = queryFor({"float", "reduction", "table-lookup"});
  query.permitted = {};
  query.level = "x86-64-v3";
  const auto ranked = rankPatterns(kPatterns, query, 5);
  for (const RankedPattern &entry : ranked) {
    if (entry.pattern->name == "lanes-for-a-sum") {
      EXPECT_THAT(entry.needs, ElementsAre(HasSubstr("AGENTIC_FP(reassociate)")));
    }
    if (entry.pattern->name == "wide-shuffles") {
      EXPECT_THAT(entry.needs, ElementsAre("the level x86-64-v4"));
    }
  }
  query.level = "armv8-a";
  EXPECT_LT(scoreOf(rankPatterns(kPatterns, query, 5), "wide-shuffles"),
            scoreOf(rankPatterns(kPatterns, queryFor(query.features.words), 5), "wide-shuffles"));
  EXPECT_EQ(ranked.size(), 4u);
}

TEST(Ranking, ReadsTheNamesOfTheKernel) {
  PatternQuery query = queryFor({"byte", "streaming"});
  query.names = "shuffled_rows shuffleRows";
  EXPECT_EQ(namesOf(rankPatterns(kPatterns, query, 5)).front(), "wide-shuffles");
  query.names = "countHistogram";
  EXPECT_EQ(namesOf(rankPatterns(kPatterns, query, 5)).front(), "several-histograms");
}

TEST(Ranking, AsksTheContractOfTheKernel) {
  KernelSpec spec;
  spec.kernel = "dot";
  spec.identifier = "dotProduct";
  const PatternQuery plain = patternQuery(spec, {}, "");
  EXPECT_EQ(plain.names, "dot dotProduct");
  EXPECT_FALSE(plain.permitted.contains("reassociate"));
  EXPECT_TRUE(plain.permitted.contains("no-alias"));
  spec.contract.floatingPoint = FloatingPoint::Reassociate;
  spec.contract.mayAlias = {{"a", "b"}};
  spec.contract.extents = {{"a", Direction::In, "n"}};
  const PatternQuery declared = patternQuery(spec, {}, "");
  EXPECT_TRUE(declared.permitted.contains("reassociate"));
  EXPECT_TRUE(declared.permitted.contains("extents"));
  EXPECT_FALSE(declared.permitted.contains("no-alias"));
}

TEST(Search, FindsByTitleFormsOfWordsAndText) {
  EXPECT_EQ(namesOf(searchPatterns(kPatterns, "histogram", 5)).front(), "several-histograms");
  EXPECT_EQ(namesOf(searchPatterns(kPatterns, "shuffling a register", 5)).front(), "wide-shuffles");
  EXPECT_THAT(namesOf(searchPatterns(kPatterns, "matrixProduct", 5)), ElementsAre("blocks-of-a-product"));
  EXPECT_THAT(searchPatterns(kPatterns, "quaternion", 5), IsEmpty());
  EXPECT_THAT(searchPatterns(kPatterns, "a of 1", 5), IsEmpty());
  EXPECT_THAT(searchPatterns(kPatterns, "sum", 5).front().matched, Contains("sum"));
}

} // namespace
} // namespace agentic
