// Tests every dialect against @copilotkit/aimock, which speaks them all: one table of scenarios, streamed and not.
#include "tests/llm/aimock_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

std::unique_ptr<PeerProcess> peer;

class Aimock : public testing::TestWithParam<AimockCase> {
protected:
  static void SetUpTestSuite() {
    if (peersFolder().empty())
      return;
    Result<std::unique_ptr<PeerProcess>> started = startAimock();
    ASSERT_TRUE(started) << started.error().message;
    peer = std::move(*started);
  }
  static void TearDownTestSuite() { peer.reset(); }
  void SetUp() override {
    if (!peer)
      GTEST_SKIP() << "aimock is not installed: 'ctest -R llm_peers' installs it, with npm";
  }
};

TEST_P(Aimock, AnswersAsTheScenarioSays) {
  const AimockCase &row = GetParam();
  const Scenario &scenario = *row.scenario;
  ChatResult<std::unique_ptr<ChatModel>> model = aimockModel(*peer, row);
  ASSERT_TRUE(model) << model.error().message;
  for (const Expected &expected : scenario.expected) {
    std::string streamed;
    const ChatResult<ChatReply> reply =
        (*model)->complete(requestOf(row), nullptr, [&](std::string_view text) { streamed += text; });
    if (expected.error) {
      ASSERT_FALSE(reply) << reply->message.text;
      EXPECT_EQ(chatErrorKindName(reply.error().kind), std::string(chatErrorKindName(*expected.error)))
          << reply.error().message;
      EXPECT_EQ(reply.error().retryAfterSeconds, expected.retryAfter);
      EXPECT_FALSE(reply.error().message.empty());
      EXPECT_THAT(reply.error().message, testing::Not(HasSubstr(kAimockKey)));
      continue;
    }
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->message.text, expected.text);
    EXPECT_EQ(streamed, expected.text);
    EXPECT_EQ(reply->reasoning, expected.reasoning);
    EXPECT_EQ(reply->finish, expected.finish);
    EXPECT_EQ(reply->message.rawDialect, row.dialect->rawDialect);
    ASSERT_EQ(reply->message.toolCalls.size(), expected.calls.size());
    for (std::size_t i = 0; i < expected.calls.size(); ++i) {
      EXPECT_EQ(reply->message.toolCalls[i].name, expected.calls[i].name);
      EXPECT_EQ(reply->message.toolCalls[i].arguments, expected.calls[i].arguments);
      EXPECT_FALSE(reply->message.toolCalls[i].id.empty());
    }
    if (row.dialect->reportsUsage && scenario.usage) {
      EXPECT_TRUE(reply->usage.isReported);
      EXPECT_EQ(reply->usage.input(), 321);
      EXPECT_EQ(reply->usage.output, 45);
    }
    if (row.dialect->reportsCost && scenario.usage) {
      EXPECT_EQ(reply->usage.costUsd, 0.0123);
    }
  }
}

class AimockHistory : public Aimock {};
TEST_P(AimockHistory, TakesBackWhatItGave) {
  const AimockCase &row = GetParam();
  ChatResult<std::unique_ptr<ChatModel>> model = aimockModel(*peer, row);
  ASSERT_TRUE(model) << model.error().message;
  ChatRequest request = requestOf(row);
  const ChatResult<ChatReply> called = (*model)->complete(request, nullptr, {});
  ASSERT_TRUE(called) << called.error().message;
  request.messages.push_back(called->message);
  request.messages.push_back({.role = ChatRole::Tool,
                              .text = "2.1x faster",
                              .toolCallId = called->message.toolCalls.at(0).id,
                              .toolName = "evaluate_kernel"});
  const ChatResult<ChatReply> reply = (*model)->complete(request, nullptr, {});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.text, "after the tool");
}

TEST(AimockModels, AreFoundOrTheirNeighboursNamed) {
  if (peersFolder().empty())
    GTEST_SKIP() << "aimock is not installed: 'ctest -R llm_peers' installs it, with npm";
  Result<std::unique_ptr<PeerProcess>> started = startAimock();
  ASSERT_TRUE(started) << started.error().message;
  ChatSettings settings;
  settings.environment = [url = (*started)->url()](const std::string &name) -> std::optional<std::string> {
    if (name == "OPENROUTER_BASE_URL")
      return url + "/api/v1";
    return name == "OPENROUTER_API_KEY" ? std::optional<std::string>(kAimockKey) : std::nullopt;
  };
  auto model = makeChatModel("openrouter:openai/gpt-4o", settings);
  ASSERT_TRUE(model) << model.error().message;
  const auto facts = (*model)->discover(nullptr);
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->contextTokens, 128'000);
  EXPECT_EQ(facts->contextSource, "/models");
  EXPECT_TRUE(facts->inputUsd && facts->outputUsd);
  model = makeChatModel("openrouter:openai/gpt-40", settings);
  ASSERT_TRUE(model) << model.error().message;
  const auto unknown = (*model)->discover(nullptr);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ChatErrorKind::Model);
  EXPECT_THAT(unknown.error().next, HasSubstr("openai/gpt-4o"));
}

INSTANTIATE_TEST_SUITE_P(Dialects, Aimock, testing::ValuesIn(aimockCases()),
                         [](const auto &info) { return info.param.testName(); });
INSTANTIATE_TEST_SUITE_P(Dialects, AimockHistory, testing::ValuesIn(aimockCasesWithTools()),
                         [](const auto &info) { return info.param.testName(); });

} // namespace
} // namespace agentic
