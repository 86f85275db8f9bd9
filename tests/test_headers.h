// For the precompiled header alone: what every test includes, and the comparisons that most of them make, so that these
// are instantiated there once and not in each of them. Nothing calls it.
#pragma once

#include "tool/precompiled_json.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::precompiled {

inline void useMatchers(const std::string &text, const char *word, const std::vector<std::string> &texts) {
  using namespace testing;
  EXPECT_THAT(text, HasSubstr("a"));
  EXPECT_THAT(text, HasSubstr(text));
  EXPECT_THAT(text, Not(HasSubstr("a")));
  EXPECT_THAT(text, Not(HasSubstr(text)));
  EXPECT_THAT(text, StartsWith("a"));
  EXPECT_THAT(text, EndsWith("a"));
  EXPECT_THAT(text, IsEmpty());
  EXPECT_THAT(text, AllOf(HasSubstr("a"), HasSubstr("b")));
  EXPECT_THAT(word, HasSubstr("a"));
  EXPECT_THAT(texts, ElementsAre("a"));
  EXPECT_THAT(texts, ElementsAre("a", "b"));
  EXPECT_THAT(texts, ElementsAre(HasSubstr("a")));
  EXPECT_THAT(texts, IsEmpty());
  EXPECT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts, Contains("a"));
  EXPECT_THAT(texts, Contains(text));
  EXPECT_THAT(texts, Contains(HasSubstr("a")));
  EXPECT_THAT(texts, Not(Contains("a")));
}

inline void useComparisons(const std::string &text, const char *word, const std::vector<std::string> &texts,
                           const std::filesystem::path &path, int count, std::size_t size, double number) {
  EXPECT_EQ(text, text);
  EXPECT_EQ(text, word);
  EXPECT_EQ(text, "a");
  EXPECT_NE(text, text);
  EXPECT_EQ(texts, texts);
  EXPECT_EQ(path, path);
  EXPECT_EQ(count, count);
  EXPECT_NE(count, count);
  EXPECT_GT(count, count);
  EXPECT_GE(count, count);
  EXPECT_LT(count, count);
  EXPECT_LE(count, count);
  EXPECT_EQ(size, size);
  EXPECT_EQ(size, 1u);
  EXPECT_NE(size, size);
  EXPECT_GT(size, 1u);
  EXPECT_GE(size, 1u);
  EXPECT_EQ(number, number);
  EXPECT_GT(number, number);
  EXPECT_LT(number, number);
  EXPECT_TRUE(texts.empty()) << text << word << count << size << number << path;
}

inline void useJsonComparisons(const nlohmann::json &json, const std::string &text, int count, std::size_t size,
                               double number) {
  EXPECT_EQ(json, json);
  EXPECT_NE(json, json);
  EXPECT_EQ(json, text);
  EXPECT_EQ(json, "a");
  EXPECT_NE(json, "a");
  EXPECT_EQ(json, true);
  EXPECT_EQ(json, count);
  EXPECT_GE(json, count);
  EXPECT_GT(json, count);
  EXPECT_EQ(json, size);
  EXPECT_EQ(json, 1u);
  EXPECT_EQ(json, number);
  EXPECT_EQ(json, nullptr);
  EXPECT_TRUE(json.empty()) << json;
}

} // namespace agentic::precompiled
