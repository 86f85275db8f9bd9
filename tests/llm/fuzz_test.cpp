// Hostile answers: 10,000 mutations of good ones over all dialects and framings, under sanitizers. Each ends as a reply
// that can be sent back, or as an error that the loop knows what to do with.
#include "tests/llm/fuzz_mutations.h"
#include "tests/llm/streams.h"
#include "tool/llm/chat_json.h"
#include "tool/llm/model_lists.h"
#include "tool/llm/retry.h"
#include "tool/secrets/redactor.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

constexpr int kAnswers = 10'000;
constexpr int kLists = 2'000;

HttpHeaders randomHeaders(Random &random) {
  HttpHeaders headers;
  switch (random.below(8)) {
  case 0:
    headers["content-type"] = "text/event-stream; charset=utf-8";
    break;
  case 1:
    headers["content-type"] = "application/json";
    break;
  case 2:
    headers["content-type"] = "application/x-ndjson";
    break;
  case 3:
    headers["content-type"] = random.bytes(12);
    break;
  default:
    break;
  }
  if (random.below(6) == 0)
    headers["retry-after"] = random.below(2) ? random.bytes(8) : std::to_string(random.below(100'000));
  if (random.below(6) == 0)
    headers["x-ratelimit-remaining-tokens"] = "0";
  if (random.below(6) == 0)
    headers["x-ratelimit-reset-tokens"] = random.below(2) ? random.bytes(6) : "6m0s";
  return headers;
}

int randomStatus(Random &random) {
  constexpr int kStatuses[] = {0,   200, 200, 200, 200, 200, 200, 200, 204, 302,
                               400, 401, 402, 404, 413, 429, 500, 503, 529, 999};
  return kStatuses[random.below(std::size(kStatuses))];
}

/// Checks the properties of every outcome.
void check(const ChatResult<ChatReply> &outcome, const Redactor &redactor) {
  if (!outcome) {
    EXPECT_NE(outcome.error().kind, ChatErrorKind::Bug);
    EXPECT_NE(outcome.error().kind, ChatErrorKind::Missing);
    EXPECT_FALSE(outcome.error().message.empty());
    EXPECT_LE(outcome.error().message.size(), 4096u);
    const double wait = outcome.error().retryAfterSeconds.value_or(0);
    EXPECT_TRUE(wait >= 0 && wait < 1e9);
    EXPECT_FALSE(redactor.containsSecret(redactor.redact(outcome.error().message)));
    return;
  }
  EXPECT_LE(outcome->message.toolCalls.size(), 64u);
  EXPECT_GE(outcome->usage.freshInput, 0);
  EXPECT_GE(outcome->usage.cachedInput, 0);
  EXPECT_GE(outcome->usage.cacheWrite, 0);
  EXPECT_LE(outcome->usage.reasoning, outcome->usage.output);
  EXPECT_TRUE(!outcome->usage.costUsd || std::isfinite(*outcome->usage.costUsd));
  for (const ToolCall &call : outcome->message.toolCalls)
    EXPECT_FALSE(call.id.empty());
  // It is sent back, in its own dialect and in the others.
  const ChatRequest request{.messages = {{.role = ChatRole::User, .text = "x"}, outcome->message},
                            .maxOutputTokens = 1};
  for (const char *dialect : {"chat", "ollama", "anthropic", "responses"})
    EXPECT_TRUE(Json::accept(dumpWireJson(dialectNamed(dialect)->body(request, {.model = "m"}))));
}

TEST(Fuzz, EveryAnswerIsAReplyOrAnError) {
  Random random(20261122);
  Redactor redactor;
  redactor.add("hostile-secret-0123456789");
  std::map<std::string, int> outcomes;
  const std::vector<SampleAnswer> &samples = sampleAnswers();
  for (int i = 0; i < kAnswers && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const SampleAnswer &sample = samples[random.below(samples.size())];
    const std::string text = mutated(sample.bytes, samples[random.below(samples.size())].bytes, random);
    // Some answers are read in the wrong dialect.
    const char *dialect = random.below(10) ? sample.dialect : samples[random.below(samples.size())].dialect;
    const bool isStream = random.below(10) ? sample.isStream : !sample.isStream;
    const HttpEnd end = random.below(8) ? HttpEnd::Complete : static_cast<HttpEnd>(random.below(8));
    const auto outcome =
        replyOf(dialect, isStream, split(text, random), randomStatus(random), randomHeaders(random), end);
    check(outcome, redactor);
    ++outcomes[outcome ? "reply" : chatErrorKindName(outcome.error().kind)];
  }
  // The mutations reach beyond the first check: good and bad ends of many kinds.
  EXPECT_GT(outcomes["reply"], kAnswers / 50);
  for (const char *kind : {"garbage", "network", "key", "money", "model", "rate", "overload", "request", "cancelled"})
    EXPECT_GT(outcomes[kind], 0) << kind;
  for (const auto &[kind, count] : outcomes)
    RecordProperty(kind, count);
}

TEST(Fuzz, ListsOfModelsAreReadWhateverTheyHold) {
  const std::string lists[] = {
      R"({"data":[{"id":"m","context_length":1,"top_provider":{"context_length":2},"pricing":{"prompt":"0.1"},"supported_parameters":["tools"]}]})",
      R"({"models":[{"name":"m:latest","context_length":8192}]})",
      R"({"default_generation_settings":{"n_ctx":4096},"chat_template_caps":{"supports_tools":true},"model_alias":"a"})",
      R"({"capabilities":["tools"],"model_info":{"general.architecture":"q","q.context_length":262144}})"};
  Random random(7);
  int parsed = 0;
  for (int i = 0; i < kLists; ++i) {
    const auto json = parseWireJson(mutated(lists[random.below(4)], lists[random.below(4)], random));
    if (!json)
      continue;
    ++parsed;
    ModelFacts facts{.model = "m"};
    readListed(listedModel(*json, "m"), "list", facts);
    readLlamaProps(*json, facts);
    readOllamaShow(*json, facts);
    readOllamaLoaded(*json, facts);
    readLmStudio(*json, facts);
    (void)nearNames("mm", listedNames(*json));
    EXPECT_GE(facts.contextTokens, 0);
    EXPECT_GE(facts.inputUsd.value_or(0), 0);
  }
  EXPECT_GT(parsed, kLists / 10);
}

// Recordings, logs and commands share this form.
TEST(Fuzz, WrittenRepliesAreReadWhateverTheyHold) {
  const std::string written =
      R"({"text":"so","reasoning":"r","finish":"tool_calls","model":"m","provider":"p","headers":{"x-request-id":"1"},)"
      R"("first_token_seconds":0.5,"seconds":1,"raw":"{}","raw_dialect":"chat","tool_calls":[{"id":"c","name":"t",)"
      R"("arguments":"{}"}],"usage":{"input_tokens":3,"cached_input_tokens":1,"output_tokens":4,"cost_usd":0.5}})";
  const std::string error =
      R"({"kind":"rate","message":"busy","next":"wait","maybe_billed":false,"retry_after_seconds":7})";
  Random random(11);
  int read = 0;
  for (int i = 0; i < kLists; ++i) {
    const auto value = nlohmann::json::parse(mutated(written, error, random), nullptr, false);
    const auto reply = replyFrom(value, "it");
    (void)errorFrom(value);
    if (!reply)
      continue;
    ++read;
    EXPECT_GE(reply->usage.freshInput, 0);
    EXPECT_TRUE(std::isfinite(reply->usage.costUsd.value_or(0))); // below 0 is for Spending to judge
    EXPECT_TRUE(nlohmann::json::accept(dumpLine(replyJson(*reply))));
  }
  EXPECT_GT(read, kLists / 20);
}

TEST(Fuzz, SizeAndDepthAreNoWayIn) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  std::string objects;
  for (int i = 0; i < 100'000; ++i)
    objects += "{\"a\":";
  std::string manyCalls = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[";
  for (int i = 0; i < 50'000; ++i)
    manyCalls +=
        "{\"index\":" + std::to_string(i) + ",\"id\":\"" + std::to_string(i) + "\",\"function\":{\"name\":\"f\"}},";
  manyCalls += "{}]},\"finish_reason\":\"stop\"}]}\n\n";
  std::string events;
  for (int i = 0; i < 50'000; ++i)
    events += "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":" + std::to_string(i) + "}]}}]}\n\n";
  for (const std::string &text : {deep, objects, "data: " + deep + "\n\n", manyCalls, events})
    for (const char *dialect : {"chat", "ollama", "anthropic", "responses"})
      EXPECT_FALSE(replyOf(dialect, true, {text})) << dialect << " " << text.substr(0, 40);
}

} // namespace
} // namespace agentic
