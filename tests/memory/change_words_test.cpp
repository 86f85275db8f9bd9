#include "tool/memory/change_words.h"

#include "tool/model/memory_item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char *kPlain = "float f(const float *x, int n) {\n  float s = 0;\n  for (int i = 0; i < n; ++i)\n"
                               "    s += x[i] / 3;\n  return s;\n}\n";

std::string with(const std::string &from, const std::string &to) {
  std::string text = kPlain;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(ChangeWords, AreThoseOfTheRow) {
  struct Row {
    std::string after;
    std::vector<std::string> words;
  };
  const Row rows[] = {
      {with("s += x[i] / 3", "s += x[i] * 0.5f"), {"fewer-divisions"}},
      {with("float s = 0;", "float s = 0, t = 0, u = 0; t += x[0]; u += x[1];"), {"more-accumulators"}},
      {with("float s = 0;", "static constexpr float table[2] = {1, 2}; float s = 0;"), {"lookup-table"}},
      {with("float s = 0;", "float buffer[64] = {}; float s = 0;"), {"scratch-array"}},
      {with("float s = 0;", "__m256 a = _mm256_setzero_ps(); float s = 0;"), {"vector-instructions"}},
      {with("    s +=", "    for (int j = 0; j < 1; ++j) s +="), {"deeper-loops", "more-loops"}},
      {with("  return s", "  for (int j = 0; j < 2; ++j) { s *= 2; }\n  return s"), {"more-loops"}},
      {with("    s +=", "    if (x[i] > 0) s +="), {"more-branches"}},
      {with("    s +=", "    __builtin_prefetch(x + i + 64), s +="), {"prefetching"}},
      {with("const float *x", "const float *__restrict x"), {"restrict-pointers"}},
      {with("float s = 0;", "AGENTIC_TUNE(kTile, 4, 8); float s = 0;"), {"open-constants"}},
      {with("s += x[i] / 3", "s = std::fma(x[i], 2, s)"), {"fewer-divisions", "fused-products"}},
  };
  for (const Row &row : rows)
    EXPECT_EQ(changeWordsOf(kPlain, row.after), row.words) << row.after;
  EXPECT_THAT(changeWordsOf("__m128 a;", "__m512 a;"), ElementsAre("wider-vectors"));
}

TEST(ChangeWords, CommentsLiteralsAndOtherNamesAreNoChange) {
  EXPECT_THAT(changeWordsOf(kPlain, kPlain), IsEmpty());
  EXPECT_THAT(changeWordsOf(kPlain, with("float s = 0;", "float s = 0; // for (;;) if / % {")), IsEmpty());
  EXPECT_THAT(changeWordsOf(kPlain, with("float s = 0;", "/* if */ const char *t = \"if (/) \\\" for\"; float s = 0;")),
              IsEmpty());
  EXPECT_THAT(changeWordsOf(kPlain, with("float s = 0;", "char c = '\\''; float s = 0;")), IsEmpty());
}

TEST(ChangeWords, AreAClosedListThatItemsMayHold) {
  std::set<std::string_view> words;
  std::vector<std::string> order;
  for (const ChangeWord &row : changeWords()) {
    EXPECT_TRUE(words.insert(row.word).second) << row.word;
    EXPECT_NE(row.meaning, "") << row.word;
    order.emplace_back(row.word);
    MemoryItem item{.title = "t", .changes = {std::string(row.word)}, .words = {"float"}};
    EXPECT_EQ(whyNoItem(item), "") << row.word;
  }
  EXPECT_GT(order.size(), 15u);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(ChangeWords, OfARecipeAreItsMovesWithoutWhatIsOfTheKernel) {
  EXPECT_THAT(moveNames("strip-mine(j, block=32); unroll-and-jam(i, rows=8); strip-mine(k)"),
              ElementsAre("strip-mine", "unroll-and-jam"));
  EXPECT_THAT(moveNames("specialise(secret(n) == stride(m), 4)"), ElementsAre("specialise"));
  EXPECT_THAT(moveNames("no moves"), IsEmpty());
}

TEST(ChangeWords, AreSaidInALine) {
  const std::vector<std::string> words = {"lookup-table", "strip-mine"};
  EXPECT_EQ(changeText(words), "a table of constants; strip-mine");
}

TEST(ChangedLines, AreWithoutTheEqualOnesAroundThem) {
  const ChangedLines lines = changedLines("a\nb\nc\nd", "a\nx\ny\nc\nd");
  EXPECT_EQ(lines.before, "b");
  EXPECT_EQ(lines.after, "x\ny");
  EXPECT_EQ(changedLines("a\na", "a\na\na").after, "a");
  EXPECT_EQ(changedLines("same", "same").after, "");
}

} // namespace
} // namespace agentic
