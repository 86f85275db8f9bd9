// Tests recordings: they give the recorded answers in the same order, and nothing else.
#include "tool/llm/cassette.h"

#include "tool/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

ChatRequest asking(const std::string &text, const std::string &system = "rules") {
  return {.messages = {{.role = ChatRole::System, .text = system}, {.role = ChatRole::User, .text = text}}};
}

ChatReply reply(const std::string &text) {
  ChatReply reply;
  reply.message = {.role = ChatRole::Assistant, .text = text, .raw = "{\"r\":1}", .rawDialect = "chat"};
  reply.usage = {.freshInput = 3, .output = 4, .costUsd = 0.5, .isReported = true};
  reply.headers = {{"x-request-id", "r1"}};
  return reply;
}

ChatError error(ChatErrorKind kind) {
  return {kind, "busy", "wait", 7.0, false};
}

class Cassette : public testing::Test {
protected:
  Recorder recorder(Redact redact = {}) {
    auto opened = Recorder::open(file_, "command:agent.sh", std::move(redact));
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }
  void record(const std::vector<std::pair<std::string, ChatResult<ChatReply>>> &exchanges) {
    Recorder to = recorder();
    for (const auto &[request, answer] : exchanges)
      EXPECT_TRUE(to.add(asking(request), answer));
  }
  std::unique_ptr<ChatModel> replaying() {
    auto made = makeReplayModel("replay:" + file_);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : nullptr;
  }
  static std::string said(ChatModel &model, const ChatRequest &request) {
    const auto answer = model.complete(request, nullptr, {});
    return answer ? answer->message.text : "error: " + answer.error().message;
  }
  ScratchDirectory folder_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "cassette"));
  std::string file_ = (folder_.path() / "run.jsonl").string();
};

TEST_F(Cassette, HasOnceWhatItsRequestsWereMadeFrom) {
  Recorder to = recorder();
  to.from({{"memory", {1, 2}}});
  EXPECT_TRUE(to.add(asking("first"), reply("one")));
  EXPECT_TRUE(to.add(asking("second"), reply("two")));
  EXPECT_EQ(recordedContext("replay:" + file_)["memory"], nlohmann::json({1, 2}));
  const std::string text = readFile(file_).value_or("");
  EXPECT_EQ(text.find("\"context\""), text.rfind("\"context\""));
  EXPECT_EQ(said(*replaying(), asking("second")), "two");
  EXPECT_TRUE(recordedContext("replay:" + file_ + ".none").is_null());
}

TEST_F(Cassette, HasTheQuestionsOfAConversation) {
  record({{"first", std::unexpected(error(ChatErrorKind::Rate))}, {"first", reply("one")}, {"second", reply("two")}});
  const std::string conversation = conversationKey(asking("any"));
  EXPECT_EQ(recordedQuestions("replay:" + file_, conversation), (std::vector<std::string>{"first", "second"}));
  EXPECT_TRUE(recordedQuestions("replay:" + file_, "another").empty());
  EXPECT_TRUE(recordedQuestions("replay:" + file_ + ".none", conversation).empty());
  const std::string odd = R"({"conversation":")" + conversation + R"(","request":)";
  EXPECT_TRUE(writeFileAtomic(file_, "[]\n7\n{}\n" + odd + "7}\n" + odd + "{\"messages\":[]}}\n" + odd +
                                         "{\"messages\":[{\"content\":7}]}}\nno JSON\n"));
  EXPECT_TRUE(recordedQuestions("replay:" + file_, conversation).empty());
}

TEST_F(Cassette, AnswersByRequestWithEverythingThatWasSaid) {
  record({{"first", reply("one")}, {"second", std::unexpected(error(ChatErrorKind::Rate))}, {"second", reply("two")}});
  const auto model = replaying();
  // The error first, as it was; then the answer to the same request. The order between requests does not matter.
  const auto failed = model->complete(asking("second"), nullptr, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ChatErrorKind::Rate);
  EXPECT_EQ(failed.error().retryAfterSeconds, 7.0);
  EXPECT_FALSE(failed.error().maybeBilled);
  EXPECT_EQ(said(*model, asking("second")), "two");
  const auto first = model->complete(asking("first"), nullptr, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->message.text, "one");
  EXPECT_EQ(first->message.raw, "{\"r\":1}");
  EXPECT_EQ(first->usage.output, 4);
  EXPECT_FALSE(first->usage.costUsd) << "it was paid for when it was recorded";
  EXPECT_EQ(first->headers.at("x-request-id"), "r1");
}

TEST_F(Cassette, MeasuredNumbersDoNotMatterOtherWordsAndKernelsDo) {
  EXPECT_EQ(requestKey(asking("2.41x in 12.5 ms")), requestKey(asking("2.38x in 9 ms")));
  EXPECT_NE(requestKey(asking("2.41x faster")), requestKey(asking("2.41x slower")));
  EXPECT_NE(requestKey(asking("x", "int a[16];")), requestKey(asking("x", "int a[32];")));
}

TEST_F(Cassette, AnotherWayThroughTheSameConversationIsAnsweredInOrder) {
  record({{"first", reply("one")}, {"was faster", reply("two")}});
  const auto model = replaying();
  EXPECT_EQ(said(*model, asking("first")), "one");
  EXPECT_EQ(said(*model, asking("was slower")), "two");
}

TEST_F(Cassette, AMissIsAnErrorAndNeverACall) {
  record({{"first", reply("one")}});
  const auto model = replaying();
  for (const ChatRequest &request : {asking("first", "other rules"), asking("first"), asking("first")}) {
    const auto answer = model->complete(request, nullptr, {});
    if (answer)
      continue; // the one it has
    EXPECT_EQ(answer.error().kind, ChatErrorKind::Missing);
    EXPECT_FALSE(answer.error().maybeBilled);
    EXPECT_THAT(answer.error().next, HasSubstr("--record"));
  }
  EXPECT_THAT(said(*model, asking("first")), HasSubstr("has no answer"));
}

TEST_F(Cassette, HoldsNoSecretAndNoCancellation) {
  const auto redact = [](std::string text) {
    const std::size_t at = text.find("sk-secret");
    return at == std::string::npos ? text : text.replace(at, 9, "[redacted]");
  };
  Recorder to = recorder(redact);
  EXPECT_TRUE(to.add(asking("first"), reply("your key sk-secret")));
  EXPECT_TRUE(to.add(asking("second"), std::unexpected(error(ChatErrorKind::Cancelled))));
  const std::string text = readFile(file_).value();
  EXPECT_THAT(text, Not(HasSubstr("sk-secret")));
  EXPECT_THAT(text, Not(HasSubstr("cancelled")));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST_F(Cassette, IsAppendedToAndReadWithATornEnd) {
  const std::string torn = "{\"v\":1,\"key\":\"cut";
  for (const char *text : {"one", "two"}) {
    record({{text, reply(text)}});
    ASSERT_TRUE(writeFileAtomic(file_, readFile(file_).value() + torn));
  }
  const auto model = replaying();
  EXPECT_EQ(said(*model, asking("two")), "two");
  EXPECT_EQ(said(*model, asking("one")), "one");
  const std::string text = readFile(file_).value();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
}

TEST_F(Cassette, ADamagedLineIsNamed) {
  record({{"first", reply("one")}, {"second", reply("two")}});
  const std::string text = readFile(file_).value();
  ASSERT_TRUE(writeFileAtomic(file_, text.substr(0, text.find('\n') - 5) + text.substr(text.find('\n'))));
  const auto made = makeReplayModel("replay:" + file_);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("run.jsonl line 1 is damaged"));
}

// A run that continues in another process knows its answers from its own log.
TEST_F(Cassette, WhatTheRunWasGivenBeforeIsNotGivenAgain) {
  record({{"a", reply("one")},
          {"b", std::unexpected(error(ChatErrorKind::Rate))},
          {"b", reply("two")},
          {"c", reply("three")}});
  const auto model = replaying();
  model->wasGiven(reply("one"));
  model->wasGiven(std::unexpected(ChatError{.kind = ChatErrorKind::Rate}));
  model->wasGiven(std::unexpected(ChatError{.kind = ChatErrorKind::Network})); // not of the recording
  EXPECT_EQ(said(*model, asking("a")), "two");
  EXPECT_EQ(said(*model, asking("another way")), "three");
  EXPECT_THAT(said(*model, asking("a")), HasSubstr("all of its 4 were given"));
}

TEST_F(Cassette, WhatIsNoRecordingIsRefused) {
  EXPECT_FALSE(makeReplayModel("replay:" + file_)); // not there
  for (const char *text : {"", "\n", "{}\n", "[1]\n", "{\"v\":2,\"key\":\"x\"}\n",
                           "{\"v\":1,\"key\":\"x\",\"reply\":[]}\n", "{\"v\":\"x\"}\n", "plain text\n"}) {
    ASSERT_TRUE(writeFileAtomic(file_, text));
    EXPECT_FALSE(makeReplayModel("replay:" + file_)) << text;
  }
}

TEST_F(Cassette, WhatCannotBeRecordedToIsRefusedBeforeTheRun) {
  const auto whyNot = [](const std::string &file) {
    const auto opened = Recorder::open(file, "a", {});
    return opened ? "" : opened.error().message;
  };
  EXPECT_THAT(whyNot("/dev/full"), HasSubstr("no regular file"));
  EXPECT_THAT(whyNot(folder_.path().string()), HasSubstr("no regular file"));
  EXPECT_THAT(whyNot((folder_.path() / "no" / "folder.jsonl").string()), HasSubstr("No such file"));
  for (const char *text : {"int main() {}\n", "no line feed", "{}\n", "\n"}) {
    ASSERT_TRUE(writeFileAtomic(file_, text));
    EXPECT_THAT(whyNot(file_), HasSubstr("no recording")) << text;
    EXPECT_EQ(readFile(file_).value(), text);
  }
  ASSERT_TRUE(writeFileAtomic(file_, ""));
  EXPECT_EQ(whyNot(file_), "");
}

TEST_F(Cassette, AnErrorEndsTheRecordingAndIsSaidOnce) {
  Recorder to = recorder();
  fs::remove_all(folder_.path());
  const auto failed = to.add(asking("first"), reply("one"));
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("run.jsonl"));
  ASSERT_TRUE(createDirectories(folder_.path()));
  EXPECT_TRUE(to.add(asking("second"), reply("two")));
  EXPECT_FALSE(fs::exists(file_)) << "a recording with a hole";
}

} // namespace
} // namespace agentic
