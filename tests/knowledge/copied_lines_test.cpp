#include "tool/base/text.h"
#include "tool/knowledge/copied_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

namespace agentic {
namespace {

using testing::ElementsAre;

/// Eight lines that hold code, among lines of braces, comments and blanks.
constexpr const char *kSource = R"(static void scan(const float *x, float *y, size_t n)
{
  float sum = 0.5f; // of all before

  for (size_t i = 0; i < n; ++i)
  {
    /* a comment
       of two lines */
    const float v = x[i] * 1.5e-3f;
    sum += v;
    y[i] = sum;
    if (y[i] > 7)
      y[i] = 7;
  }
}
)";

std::optional<CopiedLines> copied(std::string_view candidate, std::string_view source = kSource,
                                  std::string_view baseline = "") {
  const CopyFinder finder(candidate, baseline);
  const auto found = finder.in(source);
  // Whatever is found shares a fingerprint: the index reads nothing else.
  const std::vector<std::uint64_t> own = finder.fingerprints(), others = fingerprintsOf(TokenHashes(source));
  const bool isShared =
      std::ranges::any_of(others, [&](std::uint64_t hash) { return std::ranges::binary_search(own, hash); });
  EXPECT_TRUE(isShared || !found);
  return found;
}

std::string function(const std::string &body) {
  return "void kernel(float *a) {\n  a[0] = 1;\n" + body + "  a[1] = 2;\n}\n";
}

TEST(CopiedLines, AreFoundWhateverTheirLayout) {
  const auto same = copied(function(kSource));
  ASSERT_TRUE(same);
  EXPECT_EQ(same->first, 1u);
  EXPECT_EQ(same->last, 13u);
  EXPECT_EQ(same->count, 8u);
  std::string oneLine;
  for (const std::string &line : split(kSource, '\n'))
    if (line.find("comment") == std::string::npos && line.find("of two") == std::string::npos)
      oneLine += " " + line.substr(0, line.find("//"));
  EXPECT_TRUE(copied(function(oneLine + "\n")));
  std::string spread = replaceAll(replaceAll(kSource, " = ", "\n=/* set */\n"), "    ", "\t\t");
  spread = replaceAll(replaceAll(spread, "sum += v;", "{ sum+=v ; }"), "\n", "\r\n");
  EXPECT_TRUE(copied(function(spread)));
}

TEST(CopiedLines, OfSevenAreNoCopy) {
  const std::string whole = kSource;
  const std::size_t second = whole.find("  float sum");
  EXPECT_FALSE(copied(function(whole.substr(second)))); // without the first line
  EXPECT_FALSE(copied(function(replaceAll(whole, "y[i] = 7;", "y[i] = 8;"))));
  EXPECT_FALSE(copied(function(replaceAll(whole, "    sum += v;\n", "    sum += v;\n    other();\n"))));
  EXPECT_FALSE(copied(""));
  EXPECT_FALSE(copied(kSource, ""));
  // Names count: who renames them is not found.
  EXPECT_FALSE(copied(function(replaceAll(whole, "sum", "total"))));
}

TEST(CopiedLines, OfTheBaselineAreNoCopy) {
  EXPECT_FALSE(copied(function(kSource), kSource, std::string("int before;\n") + kSource));
  const std::string more = std::string(kSource) + "int after(int a)\n{\n  return a * 3;\n}\n";
  EXPECT_FALSE(copied(more, kSource, kSource));
  const auto beyond = copied(more, more, kSource); // the last lines are another's, with those before them
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->first, 3u);
  EXPECT_EQ(beyond->last, 18u);
}

TEST(CopiedLines, AreCountedInTheirLongestRun) {
  std::string source, candidate;
  for (int i = 0; i < 40; ++i) {
    const std::string line = "  a[" + std::to_string(i) + "] = b[n - " + std::to_string(i * 7) + "];\n";
    source += line;
    candidate += i == 12 ? "  other();\n" : line;
  }
  const auto found = copied(candidate, source);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 14u);
  EXPECT_EQ(found->last, 40u);
  EXPECT_EQ(found->count, 27u);
}

/// Eight lines of two tokens each are few enough to be in anything; those of one are not asked.
TEST(CopiedLines, HaveSixteenTokensOrMore) {
  std::string two, one;
  for (int i = 0; i < 8; ++i) {
    two += "f" + std::to_string(i) + ";\n";
    one += "F" + std::to_string(i) + "\n";
  }
  EXPECT_TRUE(copied(function(two), two));
  EXPECT_FALSE(copied(function(one), one));
}

TEST(TokenHashes, KnowTheLinesThatHoldCode) {
  const TokenHashes tokens("{\n});\n'x' + \"a // b\\\"\";\n\n// c\n1'000.5e+3f\nit's\n;\n/* open\n");
  std::vector<unsigned> numbers;
  for (const TokenHashes::Line &line : tokens.lines())
    numbers.push_back(line.number);
  EXPECT_THAT(numbers, ElementsAre(3, 6, 7));
  EXPECT_EQ(TokenHashes("a+b").of(0, 3), TokenHashes("a + // c\n b").of(0, 3));
  EXPECT_NE(TokenHashes("a+b").of(0, 3), TokenHashes("a-b").of(0, 3));
  EXPECT_EQ(TokenHashes("x a b").of(1, 2), TokenHashes("a b").of(0, 2));
}

/// Of every eight lines one fingerprint at least lies within them; all together are few.
TEST(Fingerprints, CoverEveryWindow) {
  std::mt19937 random(28);
  std::string source;
  for (int i = 0; i < 400; ++i) {
    source += "  v" + std::to_string(random() % 50) + " = w";
    for (unsigned terms = random() % 6; terms > 0; --terms)
      source += " + u[" + std::to_string(random() % 9) + "]";
    source += ";\n";
  }
  const std::vector<std::uint64_t> all = fingerprintsOf(TokenHashes(source));
  EXPECT_LT(all.size(), 200u);
  const std::vector<std::string> lines = split(source, '\n');
  for (std::size_t first = 0; first + 8 < lines.size(); ++first) {
    std::string window;
    for (std::size_t i = first; i < first + 8; ++i)
      window += lines[i] + "\n";
    EXPECT_TRUE(copied(function(window), source)) << window;
  }
}

} // namespace
} // namespace agentic
