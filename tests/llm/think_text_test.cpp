#include "tool/llm/think_text.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

TEST(ThinkText, IsTakenOut) {
  struct Row {
    const char *reply, *text, *thought;
  };
  const Row rows[] = {
      {"plain\ntext\n", "plain\ntext\n", ""},
      {"<think>a\nb</think>\n\nanswer", "answer", "a\nb"},
      {"  <think>a</think>x\n<think>b</think>y", "x\ny", "a\nb"},
      {"<thinking>a</thinking>x", "x", "a"},
      {"thoughts\n</think>\nanswer", "answer", "thoughts"}, // the template opened it
      {"</think>answer", "answer", ""},
      {"<think>cut off", "", "cut off"},
      {"<think></think>x", "x", ""},
      {"```cpp\n<think>\n```\n", "```cpp\n<think>\n```\n", ""}, // code may speak of it
      {"say <think> to think", "say <think> to think", ""},
      {"", "", ""},
  };
  for (const Row &row : rows) {
    const SplitThought split = splitThought(row.reply);
    EXPECT_EQ(split.thought, row.thought) << row.reply;
    EXPECT_EQ(std::string_view(split.text).find_first_not_of('\n') == std::string_view::npos ? "" : split.text,
              row.text)
        << row.reply;
  }
}

TEST(ThinkText, IsLinear) {
  std::string many;
  for (int i = 0; i < 200'000; ++i)
    many += "<think>x</think>\n";
  EXPECT_EQ(splitThought(many).thought.size(), 399'999u);
  EXPECT_EQ(splitThought(std::string(1u << 20, '<')).text.size(), 1u << 20);
}

} // namespace
} // namespace agentic
