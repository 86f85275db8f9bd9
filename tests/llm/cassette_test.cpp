// Recordings: what was said is said again, in the same order, and nothing else ever is.
#include "tool/llm/cassette.h"

#include "tool/base/files.h"

#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

class ListModel : public ChatModel {
public:
  explicit ListModel(std::deque<ChatResult<ChatReply>> answers) : answers_(std::move(answers)) {}
  const std::string &name() const override { return name_; }
  ChatResult<ModelFacts> discover(const std::atomic<bool> *) override { return ModelFacts{.model = "m"}; }
  std::string requestBody(const ChatRequest &) const override { return "body"; }
  ChatResult<ChatReply> complete(const ChatRequest &, const std::atomic<bool> *,
                                 const std::function<void(std::string_view)> &) override {
    auto answer = std::move(answers_.front());
    answers_.pop_front();
    return answer;
  }

private:
  std::deque<ChatResult<ChatReply>> answers_;
  std::string name_ = "openrouter:some/model";
};

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
  std::unique_ptr<ChatModel> recording(std::deque<ChatResult<ChatReply>> answers, Redact redact = {}) {
    return recordingModel(std::make_unique<ListModel>(std::move(answers)), file_, std::move(redact));
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

TEST_F(Cassette, AnswersByRequestWithEverythingThatWasSaid) {
  {
    const auto model = recording({reply("one"), std::unexpected(error(ChatErrorKind::Rate)), reply("two")});
    said(*model, asking("first"));
    said(*model, asking("second"));
    said(*model, asking("second"));
  }
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
  EXPECT_EQ(first->usage.costUsd, 0.5);
  EXPECT_EQ(first->headers.at("x-request-id"), "r1");
}

TEST_F(Cassette, MeasuredNumbersDoNotMatterOtherWordsAndKernelsDo) {
  EXPECT_EQ(requestKey(asking("2.41x in 12.5 ms")), requestKey(asking("2.38x in 9 ms")));
  EXPECT_NE(requestKey(asking("2.41x faster")), requestKey(asking("2.41x slower")));
  EXPECT_NE(requestKey(asking("x", "int a[16];")), requestKey(asking("x", "int a[32];")));
}

TEST_F(Cassette, AnotherWayThroughTheSameConversationIsAnsweredInOrder) {
  {
    const auto model = recording({reply("one"), reply("two")});
    said(*model, asking("first"));
    said(*model, asking("was faster"));
  }
  const auto model = replaying();
  EXPECT_EQ(said(*model, asking("first")), "one");
  EXPECT_EQ(said(*model, asking("was slower")), "two");
}

TEST_F(Cassette, AMissIsAnErrorAndNeverACall) {
  {
    const auto model = recording({reply("one")});
    said(*model, asking("first"));
  }
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
  {
    const auto model =
        recording({reply("your key sk-secret"), std::unexpected(error(ChatErrorKind::Cancelled))}, redact);
    EXPECT_EQ(said(*model, asking("first")), "your key sk-secret");
    said(*model, asking("second"));
  }
  const std::string text = readFile(file_).value();
  EXPECT_THAT(text, Not(HasSubstr("sk-secret")));
  EXPECT_THAT(text, Not(HasSubstr("cancelled")));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST_F(Cassette, IsAppendedToAndReadWithATornEnd) {
  for (const char *text : {"one", "two"}) {
    const auto model = recording({reply(text)});
    said(*model, asking(text));
  }
  ASSERT_TRUE(writeFileAtomic(file_, readFile(file_).value() + "{\"v\":1,\"key\":\"cut"));
  const auto model = replaying();
  EXPECT_EQ(said(*model, asking("two")), "two");
  EXPECT_EQ(said(*model, asking("one")), "one");
}

TEST_F(Cassette, WhatIsNoRecordingIsRefused) {
  EXPECT_FALSE(makeReplayModel("replay:" + file_)); // not there
  for (const char *text : {"", "\n", "{}\n", "[1]\n", "{\"v\":2,\"key\":\"x\"}\n",
                           "{\"v\":1,\"key\":\"x\",\"reply\":[]}\n", "{\"v\":\"x\"}\n", "plain text\n"}) {
    ASSERT_TRUE(writeFileAtomic(file_, text));
    EXPECT_FALSE(makeReplayModel("replay:" + file_)) << text;
  }
}

TEST_F(Cassette, ARecordingThatCannotBeWrittenIsAnError) {
  file_ = (folder_.path() / "no" / "folder.jsonl").string();
  const auto answer = recording({reply("one")})->complete(asking("first"), nullptr, {});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("folder.jsonl"));
}

} // namespace
} // namespace agentic
