// The form of every pattern: what readers of it, and the search over all of them, rely on. No compiler runs here.
#include "tests/knowledge/pattern_text.h"
#include "tool/base/text.h"
#include "tool/model/allowed_headers.h"
#include "tool/model/kernel_features.h"
#include "tool/model/level.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace agentic::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::set<std::string> kFeatures(featureWords().begin(), featureWords().end());
const std::set<std::string> kBounds(boundWords().begin(), boundWords().end());
const std::set<std::string> kContracts = {"reassociate", "no-alias", "finite", "extents"};
constexpr std::size_t kFewestLines = 25, kMostLines = 90, kMostColumns = 120;

std::string wordNotIn(const std::vector<std::string> &words, const std::set<std::string> &known) {
  for (const std::string &word : words)
    if (!known.contains(word))
      return "unknown word '" + word + "'";
  return std::set(words.begin(), words.end()).size() == words.size() ? "" : "a word twice";
}

bool isKebab(const std::string &name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

/// What is wrong with the lines before the first section.
std::vector<std::string> wrongInHead(const PatternText &pattern) {
  std::vector<std::string> wrong;
  const auto expect = [&](bool isRight, const std::string &what) {
    if (!isRight)
      wrong.push_back(what);
  };
  expect(isKebab(pattern.name), "the file's name is not in-this-form");
  expect(!pattern.title.empty(), "no title");
  const std::vector<std::string> features = pattern.words("features"), against = pattern.words("unless");
  expect(!features.empty(), "no features");
  for (const auto &[key, known] : std::map<std::string, const std::set<std::string> *>{
           {"features", &kFeatures}, {"unless", &kFeatures}, {"bound", &kBounds}, {"contract", &kContracts}})
    if (const std::string problem = wordNotIn(pattern.words(key), *known); !problem.empty())
      wrong.push_back(key + ": " + problem);
  for (const std::string &word : against)
    expect(std::ranges::find(features, word) == features.end(), "'" + word + "' speaks for and against it");
  expect(!pattern.words("bound").empty(), "no bound");
  const std::string level = pattern.field("level"), language = pattern.field("language");
  expect(level == "any" || findLevel(level), "unknown level '" + level + "'");
  expect(language.empty() || language == "c++" || language == "c", "unknown language '" + language + "'");
  std::set<std::string> seen;
  for (const auto &[key, value] : pattern.fields) {
    expect(std::set<std::string>{"features", "unless", "bound", "level", "contract", "language"}.contains(key),
           "unknown field '" + key + "'");
    expect(!value.empty() && seen.insert(key).second, "field '" + key + "' is empty or there twice");
  }
  return wrong;
}

std::vector<std::string> wrongInSketch(const PatternText &pattern) {
  std::vector<std::string> wrong;
  const std::string &sketch = pattern.sketch;
  for (const char *function : {" before(", " after("})
    if (!sketch.contains(function))
      wrong.push_back("the sketch has no" + std::string(function, 0, std::string(function).size() - 1));
  if (!std::ranges::all_of(sketch, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }))
    wrong.push_back("the sketch has characters that a candidate may not have");
  for (const std::string &line : pattern.includes())
    if (!isAllowedHeader(trim(std::string_view(line).substr(8))))
      wrong.push_back("a candidate may not write " + line);
  return wrong;
}

/// Of UTF-8.
std::size_t columns(const std::string &line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Everything that is wrong with the form of a pattern.
std::vector<std::string> wrongForm(const PatternText &pattern) {
  std::vector<std::string> wrong = wrongInHead(pattern);
  std::vector<std::string> headings;
  for (const auto &[heading, text] : pattern.sections) {
    headings.push_back(heading);
    if (trim(text).size() < 20)
      wrong.push_back("section " + heading + " says nothing");
  }
  if (headings != std::vector<std::string>{"When", "Idea", "Sketch", "Costs", "Sources"})
    wrong.push_back("the sections are " + join(headings, ", "));
  if (pattern.section("Sources").contains("http"))
    wrong.push_back("a source is named by an address that can rot");
  const std::vector<std::string> lines = split(pattern.text, '\n');
  if (lines.size() < kFewestLines || lines.size() > kMostLines)
    wrong.push_back(std::to_string(lines.size()) + " lines");
  for (const std::string &line : lines)
    if (columns(line) > kMostColumns)
      wrong.push_back("a long line: " + line);
  std::ranges::copy(wrongInSketch(pattern), std::back_inserter(wrong));
  return wrong;
}

TEST(PatternForm, OfEveryPatternIsRight) {
  for (const PatternText &pattern : shippedPatterns())
    for (const std::string &wrong : wrongForm(pattern))
      ADD_FAILURE() << pattern.name << ": " << wrong;
}

TEST(PatternForm, PatternsAreManyAndDistinct) {
  const std::vector<PatternText> patterns = shippedPatterns();
  EXPECT_GE(patterns.size(), 120U);
  std::map<std::string, std::string> titles, sketches, ideas;
  for (const PatternText &pattern : patterns) {
    EXPECT_TRUE(titles.emplace(pattern.title, pattern.name).second) << pattern.name << ", " << titles[pattern.title];
    EXPECT_TRUE(sketches.emplace(pattern.sketch, pattern.name).second) << pattern.name;
    EXPECT_TRUE(ideas.emplace(pattern.section("Idea"), pattern.name).second) << pattern.name;
  }
}

TEST(PatternForm, EveryFeatureLeadsToSomePattern) {
  std::map<std::string, int> uses;
  for (const PatternText &pattern : shippedPatterns())
    for (const std::string &word : pattern.words("features"))
      ++uses[word];
  for (const std::string &feature : kFeatures)
    EXPECT_GE(uses[feature], 1) << feature;
}

const std::string kRight =
    "# A title\n\nfeatures: reduction, float\nbound: latency\nlevel: x86-64-v3\n\n"
    "## When\n\nTwenty characters or more stand here.\n\n## Idea\n\nTwenty characters or more.\n\n"
    "## Sketch\n\n```cpp\n#include <cstddef>\nint before(const int *a, std::size_t n);\n"
    "int after(const int *a, std::size_t n);\n```\n\n## Costs\n\nTwenty characters or more.\n\n"
    "## Sources\n\nA book that somebody has written.\n";

std::vector<std::string> wrongAfter(std::string_view from, std::string_view to) {
  EXPECT_THAT(kRight, HasSubstr(std::string(from)));
  return wrongForm(patternText("a-name", replaceAll(kRight, from, to)));
}

TEST(PatternForm, WrongFormsAreFound) {
  EXPECT_THAT(wrongForm(patternText("a-name", kRight)), IsEmpty());
  EXPECT_THAT(wrongForm(patternText("A name", kRight)), ElementsAre("the file's name is not in-this-form"));
  EXPECT_THAT(wrongAfter("# A title\n", ""), Contains("no title"));
  EXPECT_THAT(wrongAfter("reduction", "reductions"), Contains("features: unknown word 'reductions'"));
  EXPECT_THAT(wrongAfter("reduction", "float"), Contains("features: a word twice"));
  EXPECT_THAT(wrongAfter("features:", "unless:"), Contains("no features"));
  EXPECT_THAT(wrongAfter("bound:", "unless: float\nbound:"), Contains("'float' speaks for and against it"));
  EXPECT_THAT(wrongAfter("latency", "speed"), Contains("bound: unknown word 'speed'"));
  EXPECT_THAT(wrongAfter("bound: latency\n", ""), Contains("no bound"));
  EXPECT_THAT(wrongAfter("x86-64-v3", "x86-64-v9"), Contains("unknown level 'x86-64-v9'"));
  EXPECT_THAT(wrongAfter("bound:", "contract: luck\nbound:"), Contains("contract: unknown word 'luck'"));
  EXPECT_THAT(wrongAfter("bound:", "language: rust\nbound:"), Contains("unknown language 'rust'"));
  EXPECT_THAT(wrongAfter("bound:", "needs: luck\nbound:"), Contains("unknown field 'needs'"));
  EXPECT_THAT(wrongAfter("bound:", "level: any\nbound:"), Contains("field 'level' is empty or there twice"));
  EXPECT_THAT(wrongAfter("## Costs", "## Price"), Contains("the sections are When, Idea, Sketch, Price, Sources"));
  EXPECT_THAT(wrongAfter("A book that somebody has written.", ""), Contains("section Sources says nothing"));
  EXPECT_THAT(wrongAfter("A book", "https://example.com: a book"), Contains(HasSubstr("can rot")));
  EXPECT_THAT(wrongAfter(" after(", " later("), Contains("the sketch has no after"));
  EXPECT_THAT(wrongAfter("int before", "/* \xc2\xb5 */ int before"), Contains(HasSubstr("characters")));
  EXPECT_THAT(wrongAfter("<cstddef>", "<vector>"), Contains("a candidate may not write #include <vector>"));
  EXPECT_THAT(wrongAfter("A book", std::string(120, 'x')), Contains(HasSubstr("a long line")));
  EXPECT_THAT(wrongAfter("A book", std::string(70, '\n')), Contains(HasSubstr(" lines")));
}

TEST(PatternForm, SketchesAreTakenApart) {
  const PatternText pattern = patternText("a", replaceAll(kRight, "int before", "// sizes: 1 2 3\nint before"));
  EXPECT_EQ(pattern.directive("sizes"), "1 2 3");
  EXPECT_EQ(pattern.directive("values"), "");
  EXPECT_THAT(pattern.includes(), ElementsAre("#include <cstddef>"));
  EXPECT_TRUE(pattern.sketch.starts_with("#include <cstddef>\n// sizes")) << pattern.sketch;
  EXPECT_EQ(split(pattern.text, '\n').at(pattern.sketchLine - 1), "#include <cstddef>");
}

} // namespace
} // namespace agentic::test
