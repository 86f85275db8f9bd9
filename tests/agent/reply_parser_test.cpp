// Tests replies: well-formed ones, the usual mistakes of models, and hostile ones.
#include "tool/agent/reply_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

const ReplyRules kRules{.identifier = "f", .mostBytes = 1000, .mostFiles = 3};

ParsedReply parsed(std::string text, ChatFinish finish = ChatFinish::Stop) {
  ChatReply reply;
  reply.message.text = std::move(text);
  reply.finish = finish;
  return parseReply(reply, kRules);
}

ParsedReply called(std::vector<std::string> arguments, std::string tool = "evaluate_kernel") {
  ChatReply reply;
  reply.finish = ChatFinish::ToolCalls;
  for (std::string &text : arguments)
    reply.message.toolCalls.push_back({"id" + std::to_string(reply.message.toolCalls.size()), tool, std::move(text)});
  return parseReply(reply, kRules);
}

struct Row {
  std::string what, text;
  std::vector<std::pair<std::string, std::string>> files; ///< name, text
  std::string problem;                                    ///< part of it, where there is no file
};

const std::string kFile = "void f() {}\n";

class Replies : public testing::TestWithParam<Row> {};

TEST_P(Replies, GiveTheseFiles) {
  const Row &row = GetParam();
  const ParsedReply reply = parsed(row.text);
  std::vector<std::pair<std::string, std::string>> files;
  for (const ReplyFile &file : reply.files)
    files.emplace_back(file.name, file.text);
  EXPECT_EQ(files, row.files);
  EXPECT_THAT(reply.problem, HasSubstr(row.problem));
  EXPECT_EQ(reply.problem.empty(), !files.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Text, Replies,
    testing::Values(
        Row{"name in the info string", "Idea.\n```cpp a.cpp\n" + kFile + "```\n", {{"a.cpp", kFile}}, ""},
        Row{"name behind a colon", "```cpp:a.cpp\n" + kFile + "```", {{"a.cpp", kFile}}, ""},
        Row{"name as an attribute", "```c++ title=\"src/a.cpp\"\n" + kFile + "```", {{"a.cpp", kFile}}, ""},
        Row{"name alone", "```a.cpp\n" + kFile + "```", {{"a.cpp", kFile}}, ""},
        Row{"name on the line before", "**`a.cpp`**\n\n```cpp\n" + kFile + "```", {{"a.cpp", kFile}}, ""},
        Row{"no name", "```cpp\n" + kFile + "```", {{"", kFile}}, ""},
        Row{"no language", "```\n" + kFile + "```", {{"", kFile}}, ""},
        Row{"tildes", "~~~~cpp a.cpp\n```\nvoid f();\n```\n~~~~\n", {{"a.cpp", "```\nvoid f();\n```\n"}}, ""},
        Row{"five backticks", "`````cpp a.cpp\n```\nvoid f();\n`````\n", {{"a.cpp", "```\nvoid f();\n"}}, ""},
        Row{"a longer fence closes", "```cpp a.cpp\n" + kFile + "`````\n", {{"a.cpp", kFile}}, ""},
        Row{"carriage returns", "```cpp a.cpp\r\nvoid f() {}\r\n```\r\n", {{"a.cpp", kFile}}, ""},
        Row{"within a list", "1. so:\n   ```cpp a.cpp\n   void f() {}\n   ```\n", {{"a.cpp", kFile}}, ""},
        Row{"the last of a name counts",
            "```cpp a.cpp\nint f;\n```\nBetter:\n```cpp a.cpp\n" + kFile + "```",
            {{"a.cpp", kFile}},
            ""},
        Row{"the last of those without a name",
            "```cpp\nint f;\n```\n```cpp\n" + kFile + "```\n```cpp\nint unrelated;\n```",
            {{"", kFile}},
            ""},
        Row{"several candidates",
            "```cpp a.cpp\n" + kFile + "```\n```cpp b.cpp\nint f;\n```",
            {{"a.cpp", kFile}, {"b.cpp", "int f;\n"}},
            ""},
        Row{"more than are used",
            "```cpp a.cpp\n" + kFile + "```\n```cpp b.cpp\n" + kFile + "```\n```cpp c.cpp\n" + kFile +
                "```\n```cpp d.cpp\n" + kFile + "```",
            {{"a.cpp", kFile}, {"b.cpp", kFile}, {"c.cpp", kFile}},
            ""},
        Row{"other languages beside it",
            "```bash\nmake f\n```\n```cpp\n" + kFile + "```\n```text\nf\n```",
            {{"", kFile}},
            ""},
        Row{"an example beside the named file",
            "```cpp use.cpp\nint main() {}\n```\n```cpp a.cpp\n" + kFile + "```",
            {{"a.cpp", kFile}},
            ""},
        Row{"thoughts",
            "<think>\n```cpp a.cpp\nint f;\n```\n</think>```cpp a.cpp\n" + kFile + "```",
            {{"a.cpp", kFile}},
            ""},
        Row{"thoughts without their beginning",
            "```cpp\nint f;\n```</think>\n```cpp\n" + kFile + "```",
            {{"", kFile}},
            ""},
        Row{"thoughts without an end", "<think>```cpp\n" + kFile + "```", {}, "within its thoughts"},
        Row{"an unclosed fence", "```cpp a.cpp\n" + kFile, {}, "closing fence"},
        Row{"an unclosed fence of the same name",
            "```cpp a.cpp\n" + kFile + "```\n```cpp a.cpp\nvoid f() { be",
            {},
            "closing fence"},
        Row{"an unclosed fence of another name",
            "```cpp a.cpp\n" + kFile + "```\n```cpp b.cpp\nvoid f() { be",
            {{"a.cpp", kFile}},
            ""},
        Row{"a shorter fence does not close", "````cpp a.cpp\n" + kFile + "```\n", {}, "closing fence"},
        Row{"the other character does not close", "```cpp a.cpp\n" + kFile + "~~~\n", {}, "closing fence"},
        Row{"nothing", "", {}, "empty"}, Row{"blanks", " \n\t\n", {}, "empty"},
        Row{"prose", "I cannot help with that.", {}, "no C++ file"},
        Row{"code that is not the kernel's", "```cpp\nint g;\n```", {}, "no C++ file"},
        Row{"the name as a part of another", "```cpp\nint fast, of, elf;\n```", {}, "no C++ file"},
        Row{"inline code is no fence", "```void f() {}```", {}, "no C++ file"},
        Row{"an empty block", "```cpp a.cpp\n```", {}, "no C++ file"},
        Row{"too large", "```cpp a.cpp\nvoid f();" + std::string(1000, ' ') + "\n```", {}, "larger than"},
        Row{"a path", "```cpp ../../../etc/a.cpp\n" + kFile + "```", {{"a.cpp", kFile}}, ""},
        Row{"no path without a name", "```cpp /etc/passwd\n" + kFile + "```", {{"", kFile}}, ""}),
    [](const auto &info) {
      std::string name = info.param.what;
      for (char &c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)))
          c = '_';
      return name;
    });

TEST(ReplyParser, WhatTheOutputLimitCutIsNeverUsed) {
  const ParsedReply reply = parsed("```cpp a.cpp\n" + kFile + "```", ChatFinish::Length);
  EXPECT_TRUE(reply.files.empty());
  EXPECT_TRUE(reply.isTruncated);
  EXPECT_THAT(reply.problem, HasSubstr("cut off"));
}

TEST(ReplyParser, ARefusalIsNoCandidate) {
  EXPECT_THAT(parsed("```cpp a.cpp\n" + kFile + "```", ChatFinish::Refused).problem, HasSubstr("refused"));
}

TEST(ReplyParser, TheIdeaIsTheFirstLineOfProse) {
  EXPECT_EQ(parsed("\n**Idea:** block the loop.\nMore.\n```cpp a.cpp\n" + kFile + "```").idea, "block the loop.");
  EXPECT_EQ(parsed("```cpp a.cpp\n" + kFile + "```").idea, "");
  EXPECT_LE(parsed(std::string(10000, 'a')).idea.size(), 160u);
  EXPECT_EQ(parsed("a\x1b[31mred\n```cpp\n" + kFile + "```").idea, "a [31mred");
}

TEST(ReplyParser, ToolCallsAreFiles) {
  const ParsedReply reply = called({R"({"name":"a.cpp","source":"void f() {}"})"});
  ASSERT_EQ(reply.files.size(), 1u);
  EXPECT_EQ(reply.files[0].name, "a.cpp");
  EXPECT_EQ(reply.files[0].text, kFile);
  ASSERT_EQ(reply.calls.size(), 1u);
  EXPECT_EQ(reply.calls[0].error, "");
}

TEST(ReplyParser, KnownMistakesInArgumentsAreMended) {
  // It has a real line feed inside the string, and a backslash that begins no escape.
  const ParsedReply reply = called({"{\"name\":\"a.cpp\",\"source\":\"void f() {\n\tg('\\0', \\_);\n}\"}"});
  ASSERT_EQ(reply.files.size(), 1u) << reply.problem;
  EXPECT_EQ(reply.files[0].text, "void f() {\n\tg('\\0', \\_);\n}\n");
  // The source is in a fence of its own.
  EXPECT_EQ(called({R"({"name":"a","source":"```cpp\nvoid f() {}\n```"})"}).files.at(0).text, kFile);
}

TEST(ReplyParser, MalformedCallsSayWhy) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", "no JSON"},
      {"{", "no JSON"},
      {"[1]", "no JSON object"},
      {R"({"source":"void f();"})", "'name' is missing"},
      {R"({"name":"a"})", "'source' is missing"},
      {R"({"name":3,"source":"void f();"})", "'name' is no string"},
      {R"({"name":"a","source":["void f();"]})", "'source' is no string"},
      {R"({"name":"a","source":" \n"})", "'source' is empty"},
      {R"({"name":"a","source":"f","command":"rm -rf /"})", "no argument 'command'"},
      {std::string(100000, '['), "nested too deeply"},
      {R"({"name":"a","source":")" + std::string(2000, 'f') + "\"}", "larger than"}};
  for (const auto &[arguments, error] : rows) {
    const ParsedReply reply = called({arguments});
    EXPECT_TRUE(reply.files.empty());
    EXPECT_EQ(reply.malformedCalls, 1);
    ASSERT_EQ(reply.calls.size(), 1u);
    EXPECT_THAT(reply.calls[0].error, HasSubstr(error));
    EXPECT_LT(reply.calls[0].error.size(), 1500u);
    EXPECT_NE(reply.problem, "");
  }
  EXPECT_THAT(called({"{}"}, "read_file").calls.at(0).error, HasSubstr("no tool 'read_file'"));
}

TEST(ReplyParser, OneGoodCallAmongBadOnesCounts) {
  const ParsedReply reply = called({"{", R"({"name":"a.cpp","source":"void f() {}"})"});
  EXPECT_EQ(reply.files.size(), 1u);
  EXPECT_EQ(reply.problem, "");
  EXPECT_NE(reply.calls.at(0).error, "");
  EXPECT_EQ(reply.calls.at(1).error, "");
}

TEST(ReplyParser, ACallThatTheLimitCutIsNotUsed) {
  ChatReply reply;
  reply.finish = ChatFinish::Length;
  reply.message.toolCalls = {{"x", "evaluate_kernel", R"({"name":"a.cpp","source":"void f() {}"})"}};
  const ParsedReply result = parseReply(reply, kRules);
  EXPECT_TRUE(result.files.empty());
  EXPECT_NE(result.calls.at(0).error, "");
}

} // namespace
} // namespace agentic
