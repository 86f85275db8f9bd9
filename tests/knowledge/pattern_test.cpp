#include "tests/knowledge/patterns.h"
#include "tool/model/level.h"

#include <set>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Patterns, AreReadWhole) {
  const Pattern pattern = patternOf("a-b", "Title of it",
                                    "features: reduction, float\nunless: branchy\nbound: latency, memory\n"
                                    "level: x86-64-v3\ncontract: reassociate, finite\nlanguage: c",
                                    "When it\nsums.");
  EXPECT_EQ(pattern.name, "a-b");
  EXPECT_EQ(pattern.title, "Title of it");
  EXPECT_THAT(pattern.features, ElementsAre("reduction", "float"));
  EXPECT_THAT(pattern.unless, ElementsAre("branchy"));
  EXPECT_THAT(pattern.bounds, ElementsAre("latency", "memory"));
  EXPECT_EQ(pattern.level, "x86-64-v3");
  EXPECT_THAT(pattern.contract, ElementsAre("reassociate", "finite"));
  EXPECT_EQ(pattern.language, Language::C);
  EXPECT_EQ(pattern.when, "When it\nsums.");
  EXPECT_EQ(pattern.sketch, "int f();\n");
  EXPECT_EQ(pattern.sources, "Nobody.");
}

TEST(Patterns, AreRefusedWithTheReason) {
  const auto reasonFor = [](const std::string &text) {
    const auto pattern = parsePattern("p", text);
    return pattern ? "read" : pattern.error().message;
  };
  EXPECT_EQ(reasonFor(patternFile("T", "features: float\nbound: memory")), "read");
  EXPECT_THAT(reasonFor(patternFile("T", "features: floats\nbound: memory")), HasSubstr("unknown word 'floats'"));
  EXPECT_THAT(reasonFor(patternFile("T", "features: float\nbound: memori")), HasSubstr("'memori' behind 'bound:'"));
  EXPECT_THAT(reasonFor(patternFile("T", "features: float\nbound: memory\nlevel: v9")), HasSubstr("level 'v9'"));
  EXPECT_THAT(reasonFor(patternFile("T", "features: float\nbound: memory\ncolour: red")), HasSubstr("colour: red"));
  EXPECT_THAT(reasonFor(patternFile("T", "features: float\nbound: memory\nlanguage: d")), HasSubstr("language: d"));
  EXPECT_THAT(reasonFor(patternFile("T", "bound: memory")), HasSubstr("'features:'"));
  EXPECT_THAT(reasonFor(patternFile("T", "features: float")), HasSubstr("'bound:'"));
  EXPECT_THAT(reasonFor(patternFile("T", "features: float\nbound: memory\n\n## Idea\nOnce more.")),
              HasSubstr("'Idea' twice"));
  std::string text = patternFile("T", "features: float\nbound: memory");
  EXPECT_THAT(reasonFor(text.substr(0, text.find("## Costs"))), HasSubstr("lacks the section 'Costs'"));
  text.replace(text.find("```cpp"), 6, "   cpp");
  EXPECT_THAT(reasonFor(text), HasSubstr("no code"));
}

TEST(FeatureWords, AreUniqueAndSorted) {
  const std::set<std::string_view> words(featureWords().begin(), featureWords().end());
  EXPECT_EQ(words.size(), featureWords().size());
  EXPECT_EQ(words.size(), 73u);
  EXPECT_TRUE(isFeatureWord("prefix-scan"));
  EXPECT_FALSE(isFeatureWord("prefix"));
}

/// Whoever adds a pattern hears of a wrong word here.
TEST(ShippedPatterns, CanAllBeRead) {
  const auto patterns = shippedPatterns();
  ASSERT_TRUE(patterns) << patterns.error().message;
  std::set<std::string> titles;
  for (const Pattern &pattern : *patterns) {
    EXPECT_TRUE(titles.insert(pattern.title).second) << pattern.title << " is the title of two patterns";
    EXPECT_NE(findPattern(*patterns, pattern.name), nullptr);
  }
  EXPECT_EQ(findPattern(*patterns, "no-such-pattern"), nullptr);
}

} // namespace
} // namespace agentic
