// Tests programs in a model's place: their input, the handling of their output, and their failures.
#include "tool/llm/command_model.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/llm/redacting_model.h"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace agentic {
namespace {

using testing::HasSubstr;

class CommandModelTest : public testing::Test {
protected:
  std::unique_ptr<ChatModel> model(const std::string &script, const std::string &arguments = "") {
    const fs::path path = folder_.path() / "agent.sh";
    EXPECT_TRUE(writeFileAtomic(path, "#!/bin/sh\n" + script + "\n"));
    fs::permissions(path, fs::perms::owner_all);
    auto made = makeCommandModel({.name = "command:./agent.sh" + arguments,
                                  .startDirectory = folder_.path().string(),
                                  .scratchParent = (folder_.path() / "work").string(),
                                  .timeoutSeconds = seconds_});
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  ChatResult<ChatReply> ask(const std::string &script, const std::string &arguments = "") {
    return model(script, arguments)->complete(request_, cancelled_, {});
  }

  ScratchDirectory folder_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "command-model"));
  ChatRequest request_{
      .messages = {{.role = ChatRole::System, .text = "rules"}, {.role = ChatRole::User, .text = "go"}},
      .maxOutputTokens = 100};
  double seconds_ = 600;
  const std::atomic<bool> *cancelled_ = nullptr;
};

TEST_F(CommandModelTest, PlainTextIsTheReply) {
  const auto reply = ask("echo; echo '```cpp'; echo 'void f();'; echo '```'");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.text, "```cpp\nvoid f();\n```");
  EXPECT_EQ(reply->finish, ChatFinish::Stop);
  EXPECT_FALSE(reply->usage.isReported);
}

TEST_F(CommandModelTest, TheRequestIsJsonOnStandardInput) {
  request_.temperature = 0.5;
  request_.budgetUsd = 0.75;
  request_.tools = {{"evaluate_kernel", "tries one", R"({"type":"object"})"}};
  ChatMessage called{.role = ChatRole::Assistant, .text = "so", .toolCalls = {{"c1", "evaluate_kernel", "{}"}}};
  called.raw = "secret of a dialect";
  request_.messages.push_back(called);
  request_.messages.push_back(
      {.role = ChatRole::Tool, .text = "no", .toolCallId = "c1", .toolName = "evaluate_kernel"});
  const auto reply = ask("cat");
  ASSERT_TRUE(reply);
  const auto sent = nlohmann::json::parse(reply->message.text);
  EXPECT_EQ(sent["v"], 1);
  EXPECT_EQ(sent["messages"][0], (nlohmann::json{{"role", "system"}, {"content", "rules"}}));
  EXPECT_EQ(sent["messages"][2]["tool_calls"][0]["id"], "c1");
  EXPECT_EQ(sent["messages"][3]["tool_call_id"], "c1");
  EXPECT_EQ(sent["tools"][0]["parameters"]["type"], "object");
  EXPECT_EQ(sent["max_output_tokens"], 100);
  EXPECT_EQ(sent["temperature"], 0.5);
  EXPECT_EQ(sent["budget_usd"], 0.75);
  EXPECT_EQ(reply->message.text, model("cat")->requestBody(request_));
  EXPECT_THAT(reply->message.text, Not(HasSubstr("secret of a dialect")));
}

TEST_F(CommandModelTest, AnObjectMayHoldCallsAndUsage) {
  const auto reply = ask(R"(cat > /dev/null; cat <<'END'
{"text": "so", "finish": "stop", "model": "m-1",
 "tool_calls": [{"name": "evaluate_kernel", "arguments": {"name": "a"}}, {"id": "x", "name": "t", "arguments": "{"}],
 "usage": {"input_tokens": 10, "cached_input_tokens": 5, "output_tokens": 7, "reasoning_tokens": -3, "cost_usd": 0.25}}
END)");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.text, "so");
  EXPECT_EQ(reply->finish, ChatFinish::ToolCalls);
  ASSERT_EQ(reply->message.toolCalls.size(), 2u);
  EXPECT_EQ(reply->message.toolCalls[0].id, "call_1");
  EXPECT_EQ(reply->message.toolCalls[0].arguments, R"({"name":"a"})");
  EXPECT_EQ(reply->message.toolCalls[1].arguments, "{");
  EXPECT_EQ(reply->usage.input(), 15);
  EXPECT_EQ(reply->usage.output, 7);
  EXPECT_EQ(reply->usage.reasoning, 0);
  EXPECT_EQ(reply->usage.costUsd, 0.25);
  EXPECT_EQ(reply->model, "m-1");
}

TEST_F(CommandModelTest, JsonThatIsNoReplyIsText) {
  EXPECT_EQ(ask("echo '{\"a\": 1}'")->message.text, "{\"a\": 1}");
  EXPECT_EQ(ask("echo '{ void f(); }'")->message.text, "{ void f(); }");
  EXPECT_EQ(ask("echo '{\"text\": \"cut\", \"finish\": \"length\"}'")->finish, ChatFinish::Length);
}

TEST_F(CommandModelTest, FailuresNameTheirReason) {
  const auto failed = ask("echo no credit left >&2; exit 3");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ChatErrorKind::Garbage);
  EXPECT_THAT(failed.error().message, HasSubstr("'agent.sh' exited with status 3: no credit left"));
  EXPECT_EQ(ask("exit 75").error().kind, ChatErrorKind::Overload);
  EXPECT_THAT(ask("cat > /dev/null").error().message, HasSubstr("wrote nothing"));
  const auto noisy = ask("head -c 100000 /dev/zero | tr '\\0' e >&2; exit 1");
  EXPECT_LE(noisy.error().message.size(), 4096u);
}

TEST_F(CommandModelTest, ItRunsInAFolderOfItsOwnWhichIsRemoved) {
  const auto reply = ask("pwd; touch left-behind");
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->message.text, HasSubstr((folder_.path() / "work").string() + "/agent-"));
  EXPECT_FALSE(fs::exists(reply->message.text));
}

TEST_F(CommandModelTest, FilesAreFoundWhereTheToolWasStarted) {
  ASSERT_TRUE(writeFileAtomic(folder_.path() / "notes.txt", "from the start\n"));
  EXPECT_EQ(ask("cat \"$1\"; echo \"$2\"", " notes.txt 'two words'")->message.text, "from the start\ntwo words");
}

TEST_F(CommandModelTest, TimeEndsIt) {
  seconds_ = 0.2;
  const auto reply = ask("sleep 1000");
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("ran longer than"));
}

TEST_F(CommandModelTest, CancellationEndsItAndWhatItStarted) {
  std::atomic<bool> cancelled{false};
  cancelled_ = &cancelled;
  std::jthread canceller([&] {
    while (!fs::exists(folder_.path() / "started"))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    cancelled = true;
  });
  const auto reply = ask("touch \"$1/started\"; sleep 1000 & wait", " " + folder_.path().string());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ChatErrorKind::Cancelled);
}

TEST_F(CommandModelTest, AProgramThatIsNotThereIsFoundOutBefore) {
  auto missing = makeCommandModel({.name = "command:./none", .startDirectory = folder_.path().string()});
  ASSERT_TRUE(missing);
  const auto facts = (*missing)->discover(nullptr);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ChatErrorKind::Model);
  EXPECT_THAT(facts.error().message, HasSubstr("none"));
  EXPECT_FALSE(makeCommandModel({.name = "command: "}));
  EXPECT_TRUE(model("true")->discover(nullptr)->isLocal);
}

TEST_F(CommandModelTest, WhatItSaysOfItsEnvironmentIsNotHandedOn) {
  auto redactor = std::make_shared<Redactor>();
  redactor->add("secret-0123456789");
  const auto failed = redactingModel(model("echo \"no access with secret-0123456789\" >&2; exit 1"), redactor)
                          ->complete(request_, nullptr, {});
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("no access with [redacted]"));
  const auto reply = redactingModel(model("cat >/dev/null; echo '{\"text\": \"secret-0123456789\", \"model\": "
                                          "\"secret-0123456789\", \"tool_calls\": [{\"name\": \"t\", \"arguments\": "
                                          "{\"source\": \"// secret-0123456789\"}}]}'"),
                                    redactor)
                         ->complete(request_, nullptr, {});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.text, "[redacted]");
  EXPECT_EQ(reply->model, "[redacted]");
  EXPECT_EQ(reply->message.toolCalls.at(0).arguments, R"({"source":"// [redacted]"})");
}

} // namespace
} // namespace agentic
