// Tests requests and answers in each dialect: split at every byte, cut at every byte, broken off.
#include "tests/llm/streams.h"
#include "tool/llm/providers.h"
#include "tool/llm/retry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

std::string kindOf(const ChatResult<ChatReply> &reply) {
  return reply ? "reply" : chatErrorKindName(reply.error().kind);
}

void expectSample(const SampleAnswer &sample, const ChatResult<ChatReply> &reply) {
  ASSERT_TRUE(reply) << sample.name << ": " << reply.error().message;
  EXPECT_EQ(reply->message.text, sample.text);
  EXPECT_EQ(reply->reasoning, sample.reasoning);
  EXPECT_EQ(reply->finish, sample.finish);
  EXPECT_EQ(reply->message.raw, sample.raw);
  EXPECT_EQ(reply->message.rawDialect, sample.dialect);
  ASSERT_EQ(reply->message.toolCalls.size(), sample.calls.size());
  for (std::size_t i = 0; i < sample.calls.size(); ++i) {
    EXPECT_EQ(reply->message.toolCalls[i].id, sample.calls[i].id);
    EXPECT_EQ(reply->message.toolCalls[i].name, sample.calls[i].name);
    EXPECT_EQ(reply->message.toolCalls[i].arguments, sample.calls[i].arguments);
  }
  EXPECT_EQ(reply->usage.freshInput, sample.usage.freshInput);
  EXPECT_EQ(reply->usage.cachedInput, sample.usage.cachedInput);
  EXPECT_EQ(reply->usage.cacheWrite, sample.usage.cacheWrite);
  EXPECT_EQ(reply->usage.output, sample.usage.output);
  EXPECT_EQ(reply->usage.reasoning, sample.usage.reasoning);
  EXPECT_EQ(reply->usage.costUsd, sample.usage.costUsd);
  EXPECT_EQ(reply->usage.isReported, sample.usage.isReported);
}

TEST(Dialects, ReadTheirAnswersSplitAnywhere) {
  for (const SampleAnswer &sample : sampleAnswers()) {
    SCOPED_TRACE(sample.name);
    const std::string &text = sample.bytes;
    std::vector<std::string> bytes;
    for (const char c : text)
      bytes.emplace_back(1, c);
    expectSample(sample, replyOf(sample.dialect, sample.isStream, bytes));
    for (std::size_t i = 0; i <= text.size() && !testing::Test::HasFailure(); ++i)
      expectSample(sample, replyOf(sample.dialect, sample.isStream, {text.substr(0, i), text.substr(i)}));
  }
}

TEST(Dialects, ACutAnswerIsNeverAReply) {
  for (const SampleAnswer &sample : sampleAnswers()) {
    SCOPED_TRACE(sample.name);
    // If it ends early, the reply is either the same (the missing part says nothing new) or an error.
    for (std::size_t i = 0; i < sample.bytes.size(); ++i) {
      const auto reply = replyOf(sample.dialect, sample.isStream, {sample.bytes.substr(0, i)});
      if (reply) {
        EXPECT_EQ(reply->message.raw, sample.raw) << "cut at " << i;
      } else {
        EXPECT_THAT(kindOf(reply), testing::AnyOf("network", "garbage")) << "cut at " << i;
      }
      // A connection that breaks before the end is a network failure, whatever has arrived.
      const auto broken =
          replyOf(sample.dialect, sample.isStream, {sample.bytes.substr(0, i)}, 200, {}, HttpEnd::Broken);
      if (!broken) {
        EXPECT_THAT(kindOf(broken), testing::AnyOf("network", "garbage"));
      }
    }
  }
}

struct Odd {
  const char *kind;
  const char *dialect;
  std::string bytes;
  int status = 200;
  HttpHeaders headers = {};
};

TEST(Dialects, ClassifyWhatIsNoReply) {
  const Odd rows[] = {
      {"garbage", "chat", ""},
      {"garbage", "chat", "   \n"},
      {"garbage", "chat", "<html>come back later</html>", 200, {{"content-type", "text/html"}}},
      {"garbage", "chat", "{malformed json: <<<chaos>>>"},
      {"garbage", "chat", "data: {oops\n\n"},
      {"garbage", "chat", "data: {\"choices\":[]}\n\ndata: [DONE]\n\n"},
      {"garbage", "chat", "{\"choices\":[{\"message\":{\"content\":\"\"},\"finish_reason\":\"stop\"}]}"},
      {"garbage", "chat", "{\"hello\":\"world\"}", 200, {{"content-type", "application/json"}}},
      {"garbage", "chat", "{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"banana\"}]}"},
      {"garbage", "chat", "data: " + std::string(200, '[') + std::string(200, ']') + "\n\n"},
      {"network", "chat", "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]\n\n"},
      {"network", "chat", "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"error\"}]}\n\n"},
      {"overload", "chat",
       "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n"
       "data: {\"error\":{\"code\":502,\"message\":\"gone\"},\"choices\":[]}\n\n"},
      {"too-long", "chat", "data: {\"object\":\"error\",\"message\":\"maximum context length is 9 tokens\"}\n\n"},
      {"rate", "chat", "{\"error\":{\"code\":429,\"message\":\"x\"}}", 200, {{"content-type", "application/json"}}},
      {"key", "chat", "[{\"error\":{\"code\":400,\"message\":\"API key not valid\"}}]", 400},
      {"overload", "chat", "[{\"error\":{\"code\":503,\"message\":\"x\"}}]", 200},
      {"request", "chat", "", 302, {{"location", "http://elsewhere.example/"}}},
      {"overload", "ollama", "{\"message\":{\"content\":\"x\"},\"done\":false}\n{\"error\":\"something broke\"}\n"},
      {"tools", "ollama", "{\"error\":\"m does not support tools\"}", 400},
      {"garbage", "ollama", "not json\n"},
      {"network", "ollama", "{\"message\":{\"content\":\"x\"},\"done\":false}\n"},
      {"overload", "anthropic",
       "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n"},
      {"network", "anthropic",
       "data: {\"type\":\"message_start\",\"message\":{}}\n\ndata: {\"type\":\"content_block_start\","
       "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"x\"}}\n\n"},
      {"overload", "responses",
       "data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":"
       "{\"code\":\"server_error\",\"message\":\"x\"}}}\n\n"},
      {"rate", "responses", "data: {\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"x\"}\n\n"},
  };
  for (const Odd &row : rows) {
    const auto reply = replyOf(row.dialect, true, {row.bytes}, row.status, row.headers);
    EXPECT_EQ(kindOf(reply), row.kind) << row.dialect << ": " << row.bytes << "\n"
                                       << (reply ? "" : reply.error().message);
    if (!reply) {
      EXPECT_TRUE(reply.error().maybeBilled || row.status != 200) << row.bytes;
    }
  }
}

ChatRequest conversation() {
  return {.messages = {{.role = ChatRole::System, .text = "rules"},
                       {.role = ChatRole::User, .text = "go"},
                       {.role = ChatRole::Assistant, .text = "t", .toolCalls = {{"a", "f", "{\"x\":1}"}}},
                       {.role = ChatRole::Tool, .text = "2x", .toolCallId = "a", .toolName = "f"},
                       {.role = ChatRole::User, .text = "more"}},
          .tools = {{"f", "tries", R"({"type":"object"})"}},
          .maxOutputTokens = 99};
}

Json bodyOf(const char *dialect, const ChatRequest &request, const WireOptions &options = {.model = "m"}) {
  return dialectNamed(dialect)->body(request, options);
}

TEST(Dialects, WriteTheirRequests) {
  EXPECT_EQ(bodyOf("chat", conversation()), Json::parse(R"({
    "model":"m","max_tokens":99,"stream":true,"stream_options":{"include_usage":true},
    "tools":[{"type":"function","function":{"name":"f","description":"tries","parameters":{"type":"object"}}}],
    "messages":[{"role":"system","content":"rules"},{"role":"user","content":"go"},
      {"role":"assistant","content":"t","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},
      {"role":"tool","tool_call_id":"a","content":"2x"},{"role":"user","content":"more"}]})"));
  EXPECT_EQ(bodyOf("ollama", conversation(), {.model = "m", .contextTokens = 16384}), Json::parse(R"({
    "model":"m","stream":true,"truncate":false,"shift":false,"keep_alive":"30m","options":{"num_predict":99,"num_ctx":16384},
    "tools":[{"type":"function","function":{"name":"f","description":"tries","parameters":{"type":"object"}}}],
    "messages":[{"role":"system","content":"rules"},{"role":"user","content":"go"},
      {"role":"assistant","content":"t","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]},
      {"role":"tool","tool_name":"f","content":"2x"},{"role":"user","content":"more"}]})"));
  EXPECT_EQ(bodyOf("anthropic", conversation()), Json::parse(R"({
    "model":"m","max_tokens":99,"stream":true,
    "system":[{"type":"text","text":"rules","cache_control":{"type":"ephemeral"}}],
    "tools":[{"name":"f","description":"tries","input_schema":{"type":"object"}}],
    "messages":[{"role":"user","content":[{"type":"text","text":"go"}]},
      {"role":"assistant","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"a","name":"f","input":{"x":1}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"2x"},
        {"type":"text","text":"more","cache_control":{"type":"ephemeral"}}]}]})"));
  EXPECT_EQ(bodyOf("responses", conversation()), Json::parse(R"({
    "model":"m","max_output_tokens":99,"stream":true,"store":false,"include":["reasoning.encrypted_content"],
    "instructions":"rules",
    "tools":[{"type":"function","name":"f","description":"tries","parameters":{"type":"object"},"strict":false}],
    "input":[{"role":"user","content":"go"},{"role":"assistant","content":"t"},
      {"type":"function_call","call_id":"a","name":"f","arguments":"{\"x\":1}"},
      {"type":"function_call_output","call_id":"a","output":"2x"},{"role":"user","content":"more"}]})"));
}

TEST(Dialects, SendOnlyWhatIsSet) {
  ChatRequest request{.messages = {{.role = ChatRole::User, .text = "x"}}, .maxOutputTokens = 5};
  for (const char *dialect : {"chat", "ollama", "anthropic", "responses"}) {
    const std::string body = dumpWireJson(bodyOf(dialect, request));
    for (const char *member : {"temperature", "seed", "effort", "think", "tools"})
      EXPECT_THAT(body, testing::Not(HasSubstr(member))) << dialect;
    EXPECT_THAT(body, HasSubstr(":5")) << dialect; // the output limit
  }
  request.temperature = 0.5;
  request.seed = 7;
  request.effort = "high";
  EXPECT_EQ(bodyOf("chat", request)["reasoning_effort"], "high");
  EXPECT_EQ(bodyOf("chat", request)["seed"], 7);
  EXPECT_EQ(bodyOf("ollama", request)["think"], "high");
  EXPECT_EQ(bodyOf("ollama", request)["options"]["seed"], 7);
  EXPECT_EQ(bodyOf("anthropic", request)["output_config"]["effort"], "high");
  EXPECT_EQ(bodyOf("responses", request)["reasoning"]["effort"], "high");
  EXPECT_FALSE(bodyOf("chat", request, {.model = "m", .stream = false}).contains("stream_options"));
}

TEST(Dialects, SpeakTheProvidersAccents) {
  ChatRequest request{.messages = {{.role = ChatRole::System, .text = "s"}}, .maxOutputTokens = 5, .effort = "low"};
  const auto body = [&](const char *provider) {
    return bodyOf("chat", request, {.model = "m", .quirks = providerNamed(provider)->quirks()});
  };
  EXPECT_EQ(body("openai")["max_completion_tokens"], 5);
  EXPECT_FALSE(body("openai").contains("max_tokens"));
  EXPECT_EQ(body("openai")["messages"][0]["role"], "developer");
  EXPECT_EQ(body("openrouter")["reasoning"]["effort"], "low");
  EXPECT_EQ(body("deepseek")["max_tokens"], 5);
  EXPECT_EQ(body("deepseek")["messages"][0]["role"], "system");
  EXPECT_FALSE(dumpWireJson(body("mistral")).contains("low"));
}

TEST(Dialects, SendAMessageBackAsItCame) {
  for (const SampleAnswer &sample : sampleAnswers()) {
    SCOPED_TRACE(sample.name);
    const auto reply = replyOf(sample.dialect, sample.isStream, {sample.bytes});
    ASSERT_TRUE(reply);
    const ChatRequest request{.messages = {{.role = ChatRole::User, .text = "x"}, reply->message}};
    const std::string body = dumpWireJson(bodyOf(sample.dialect, request));
    const Json raw = Json::parse(sample.raw);
    for (const Json &part : raw.is_array() ? raw : Json::array({raw}))
      EXPECT_THAT(body, HasSubstr(dumpWireJson(part)));
    // Another dialect gets what it understands: the text and the calls.
    for (const char *other : {"chat", "ollama", "anthropic", "responses"})
      if (std::string_view(other) != sample.dialect) {
        const std::string foreign = dumpWireJson(bodyOf(other, request));
        EXPECT_THAT(foreign, testing::Not(HasSubstr("SIG")));
        EXPECT_THAT(foreign, testing::Not(HasSubstr("encrypted_content\":\"E")));
        for (const ToolCall &call : sample.calls)
          EXPECT_THAT(foreign, HasSubstr("\"" + call.name + "\""));
      }
  }
}

TEST(Dialects, SomeServersWantNothingUnknownBack) {
  const auto reply = replyOf("chat", true, {sampleAnswers()[0].bytes});
  ASSERT_TRUE(reply);
  const Json body = bodyOf("chat", {.messages = {reply->message}}, {.model = "m", .quirks = {.plainHistory = true}});
  EXPECT_EQ(body["messages"][0], (Json{{"role", "assistant"}, {"content", "Grüße €"}}));
}

TEST(Dialects, KeysGoIntoOneHeaderOnly) {
  for (const char *dialect : {"chat", "ollama", "anthropic", "responses"})
    for (const bool inXApiKey : {true, false}) {
      int found = 0;
      for (const auto &[name, value] :
           dialectNamed(dialect)->headers("the-key", {.quirks = {.keyInXApiKey = inXApiKey}}))
        if (value.contains("the-key")) {
          EXPECT_EQ(name, inXApiKey ? "x-api-key" : "Authorization");
          ++found;
        }
      EXPECT_EQ(found, 1);
      for (const auto &[name, value] : dialectNamed(dialect)->headers("", {}))
        EXPECT_NE(name, "Authorization");
    }
}

TEST(Dialects, OnlySomeHeadersAreKept) {
  const auto kept = keptHeaders({{"x-request-id", "r"},
                                 {"set-cookie", "c"},
                                 {"x-ratelimit-remaining-tokens", "7"},
                                 {"authorization", "a"},
                                 {"server", "s"}});
  EXPECT_THAT(kept, testing::UnorderedElementsAre(testing::Pair("x-request-id", "r"),
                                                  testing::Pair("x-ratelimit-remaining-tokens", "7")));
}

} // namespace
} // namespace agentic
