// A real llama.cpp with a model of random weights that is written here: real tokens, a real context, real grammars.
#include "tests/llm/live_model.h"
#include "tests/llm/peer_process.h"
#include "tool/base/process.h"
#include "tool/base/wire_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

std::unique_ptr<PeerProcess> peer;

class Llama : public testing::TestWithParam<bool> {
protected:
  static void SetUpTestSuite() {
    const fs::path folder = AGENTIC_LLAMA;
    if (!fs::exists(folder / "node_modules/node-llama-cpp"))
      return;
    const std::string model = (folder / "tiny.gguf").string();
    const auto written = runProcess({.argv = {peersNode(), (folder / "tiny_model.mjs").string(), model}});
    ASSERT_TRUE(written && written->ok()) << (written ? written->err : written.error().message);
    auto started = PeerProcess::start({peersNode(), (folder / "server.mjs").string(), model}, {}, "listening on ");
    ASSERT_TRUE(started) << started.error().message;
    peer = std::move(*started);
  }
  static void TearDownTestSuite() { peer.reset(); }

  void SetUp() override {
    if (!peer)
      GTEST_SKIP() << "node-llama-cpp is not installed: 'ctest -R llm_llama' installs it, with npm";
    ChatSettings settings = liveSettings();
    settings.stream = GetParam();
    auto model = makeChatModel(peer->url() + "#tiny-random", settings);
    ASSERT_TRUE(model) << model.error().message;
    model_ = std::move(*model);
  }

  ChatRequest request(const std::string &text, int most) const {
    return {
        .messages = {{.role = ChatRole::System, .text = "You write kernels."}, {.role = ChatRole::User, .text = text}},
        .maxOutputTokens = most};
  }

  std::unique_ptr<ChatModel> model_;
};

TEST_P(Llama, TellsTheContextThatItHas) {
  const auto facts = model_->discover(nullptr);
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->contextTokens, 1024);
  EXPECT_EQ(facts->contextSource, "/props");
}

TEST_P(Llama, CountsRealTokensAndNeverMoreThanBytes) {
  for (const char *text : {"x", "for (int i = 0; i < n; ++i) a[i] += b[i];", "Grüße, 数字, \x01\x02 and 😀"}) {
    const ChatRequest asked = request(text, 12);
    const auto reply = model_->complete(asked, nullptr, {});
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_THAT(reply->finish, AnyOf(ChatFinish::Length, ChatFinish::Stop));
    EXPECT_TRUE(reply->usage.isReported);
    EXPECT_GT(reply->usage.input(), 0);
    EXPECT_GT(reply->usage.output, 0);
    EXPECT_LE(reply->usage.output, 13); // with the token that ends it
    // Reservations rely on this: this vocabulary has a token for each byte, and no text costs more.
    EXPECT_LE(reply->usage.input(), static_cast<std::int64_t>(model_->requestBody(asked).size()));
  }
}

TEST_P(Llama, CallsAToolAsItsGrammarForces) {
  ChatRequest asked = request("call it", 300);
  asked.tools = {{"evaluate_kernel", "tries a candidate",
                  R"({"type":"object","properties":{"name":{"enum":["wide","narrow"]},"fast":{"type":"boolean"}},)"
                  R"("required":["name","fast"]})"}};
  const auto reply = model_->complete(asked, nullptr, {});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, ChatFinish::ToolCalls);
  ASSERT_EQ(reply->message.toolCalls.size(), 1u);
  EXPECT_EQ(reply->message.toolCalls[0].name, "evaluate_kernel");
  const auto arguments = parseWireJson(reply->message.toolCalls[0].arguments);
  ASSERT_TRUE(arguments) << reply->message.toolCalls[0].arguments;
  EXPECT_THAT(textAt(*arguments, "name"), AnyOf("wide", "narrow"));
  EXPECT_TRUE(at(*arguments, "fast").is_boolean());
}

TEST_P(Llama, SaysWhatDoesNotFit) {
  const auto reply = model_->complete(request(std::string(3000, 'x'), 100), nullptr, {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(kindText(reply), "too-long");
  EXPECT_FALSE(reply.error().maybeBilled);
}

INSTANTIATE_TEST_SUITE_P(Replies, Llama, testing::Bool(),
                         [](const auto &info) { return info.param ? "streamed" : "whole"; });

} // namespace
} // namespace agentic
