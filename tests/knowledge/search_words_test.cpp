#include "tool/store/search_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SearchWords, SplitIdentifiers) {
  EXPECT_THAT(searchWords("halfToFloat"), ElementsAre("half", "to", "float"));
  EXPECT_THAT(searchWords("half_to_float"), ElementsAre("half", "to", "float"));
  EXPECT_THAT(searchWords("parseHTMLPage"), ElementsAre("parse", "html", "page"));
  EXPECT_THAT(searchWords("_mm256_shuffle_epi8(a)"), ElementsAre("mm256", "shuffle", "epi8", "a"));
  EXPECT_THAT(searchWords("utf8::isValid; x+=2"), ElementsAre("utf8", "is", "valid", "x", "2"));
  EXPECT_THAT(searchWords(" \n\t+-"), IsEmpty());
  EXPECT_THAT(searchWords(std::string(65, 'a') + " b"), ElementsAre("b"));
  EXPECT_THAT(searchWords("Größe"), ElementsAre("gr", "e")); // bytes of other alphabets are no words
}

TEST(SearchWords, AreAskedForOnceEach) {
  EXPECT_THAT(questionWords("a prefix sum, PREFIX scan", 2), ElementsAre("prefix", "sum"));
  EXPECT_EQ(anyOf({"prefix", "sum"}), "\"prefix\" OR \"sum\"");
  EXPECT_EQ(anyOf({}), "");
}

TEST(SearchWords, HaveStems) {
  EXPECT_EQ(stemOf("validate"), stemOf("validation"));
  EXPECT_EQ(stemOf("sums"), stemOf("sum"));
  EXPECT_NE(stemOf("sum"), stemOf("scan"));
  EXPECT_EQ(stemOf("loss"), "loss");
}

} // namespace
} // namespace agentic
