// Tests the questions before the first paid call: which go to which server, and what the answers mean.
#include "tests/llm/live_model.h"
#include "tool/llm/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

using Answers = std::map<std::string, std::string>;

/// A server that knows these questions ("GET /props"), and 404 for all others.
class Facts {
public:
  explicit Facts(const Answers &answers)
      : server_([answers](const ServedRequest &request, Served &served) {
          const auto found = answers.find(request.method + " " + request.target);
          if (found == answers.end())
            served.answer(404, R"({"error":{"message":"File Not Found","type":"not_found_error","code":404}})");
          else if (found->second.starts_with("!"))
            served.answer(std::stoi(found->second.substr(1, 3)), found->second.substr(4));
          else
            served.answer(200, found->second);
        }) {}

  ChatResult<ModelFacts> of(const std::string &name, std::map<std::string, std::string> environment = {},
                            std::int64_t contextTokens = 0) {
    for (auto &[variable, value] : environment)
      if (value == "URL")
        value = server_.url();
    ChatSettings settings = liveSettings(environment);
    settings.contextTokens = contextTokens;
    const std::size_t at = name.find("URL");
    auto model =
        makeChatModel(at == std::string::npos ? name : std::string(name).replace(at, 3, server_.url()), settings);
    if (!model)
      return std::unexpected(model.error());
    ChatResult<ModelFacts> facts = (*model)->discover(nullptr);
    const std::size_t asked = server_.requests().size();
    if (facts && (*model)->discover(nullptr)) {
      EXPECT_EQ(server_.requests().size(), asked) << "asked twice";
    }
    body_ = (*model)->requestBody(shortRequest());
    return facts;
  }
  std::string body_; ///< body of a later call

private:
  LoopbackServer server_;
};

TEST(DiscoveryLive, LlamaServerTellsTheContextOfASlot) {
  Facts server(Answers{{"GET /props", R"({"default_generation_settings":{"n_ctx":4096},"total_slots":4,)"
                                      R"("chat_template_caps":{"supports_tools":true}})"}});
  for (const char *name : {"URL#any", "llamacpp:any"}) {
    const auto facts = server.of(name, {{"LLAMACPP_BASE_URL", "URL"}, {"AGENTIC_KERNEL_API_KEY", ""}});
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_EQ(facts->contextTokens, 4096);
    EXPECT_EQ(facts->contextSource, "/props");
    EXPECT_EQ(facts->takesTools, true);
    EXPECT_TRUE(facts->isLocal);
  }
  Facts loading(
      Answers{{"GET /props", "!503{\"error\":{\"message\":\"Loading model\",\"type\":\"unavailable_error\"}}"}});
  const auto facts = loading.of("llamacpp:any", {{"LLAMACPP_BASE_URL", "URL"}});
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ChatErrorKind::Overload);
  EXPECT_FALSE(facts.error().maybeBilled);
}

// A proxy on this machine does not make a billing provider free.
TEST(DiscoveryLive, OnlyWhatWantsNoKeyHereIsLocal) {
  Facts server(Answers{{"GET /v1/models", R"({"data":[{"id":"m"}]})"}, {"GET /models", R"({"data":[{"id":"m"}]})"}});
  const auto isLocal = [&](const std::string &name, const std::map<std::string, std::string> &environment) {
    const auto facts = server.of(name, environment);
    EXPECT_TRUE(facts) << name << ": " << facts.error().message;
    EXPECT_TRUE(!facts || facts->host.starts_with("127.0.0.1:")) << facts->host;
    return facts && facts->isLocal;
  };
  EXPECT_FALSE(isLocal("openai:m", {{"OPENAI_BASE_URL", "URL"}}));
  EXPECT_FALSE(isLocal("openai:m", {{"OPENAI_BASE_URL", "URL"}, {"OPENAI_API_KEY", "sk-0123456789"}}));
  EXPECT_TRUE(isLocal("vllm:m", {{"VLLM_BASE_URL", "URL"}}));
  EXPECT_TRUE(isLocal("vllm:m", {{"VLLM_BASE_URL", "URL"}, {"VLLM_API_KEY", "token-0123456789"}}));
  EXPECT_TRUE(isLocal("URL#m", {{"AGENTIC_KERNEL_API_KEY", ""}}));
  EXPECT_FALSE(isLocal("URL#m", {{"AGENTIC_KERNEL_API_KEY", "sk-0123456789"}}));
}

TEST(DiscoveryLive, OllamaIsToldTheContextThatItSaid) {
  const std::string show = R"({"capabilities":["completion","tools"],"model_info":{"general.architecture":"qwen3",)"
                           R"("qwen3.context_length":262144}})";
  Facts server(Answers{{"POST /api/show", show}, {"GET /api/ps", R"({"models":[]})"}});
  const auto facts = server.of("ollama+URL#qwen3");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->contextTokens, 32768); // not all that it could: memory grows with it
  EXPECT_EQ(facts->contextSource, "/api/show");
  EXPECT_EQ(facts->takesTools, true);
  EXPECT_THAT(server.body_, HasSubstr("\"num_ctx\":32768"));

  Facts loaded(
      {{"POST /api/show", show}, {"GET /api/ps", R"({"models":[{"name":"qwen3:latest","context_length":8192}]})"}});
  const auto held = loaded.of("ollama+URL#qwen3");
  ASSERT_TRUE(held);
  EXPECT_EQ(held->contextTokens, 8192); // another number would load it again
  EXPECT_EQ(held->contextSource, "/api/ps");

  const auto given = loaded.of("ollama+URL#qwen3", {}, 16384);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->contextTokens, 16384);
  EXPECT_EQ(given->contextSource, "user");
  EXPECT_THAT(loaded.body_, HasSubstr("\"num_ctx\":16384"));

  Facts without(Answers{{"POST /api/show", "!404{\"error\":\"model 'qwen3' not found\"}"},
                        {"GET /api/tags", R"({"models":[{"name":"qwen3:8b"},{"name":"gemma:2b"}]})"}});
  const auto missing = without.of("ollama+URL#qwen3");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ChatErrorKind::Model);
  EXPECT_THAT(missing.error().next, HasSubstr("qwen3:8b"));
  EXPECT_THAT(missing.error().next, HasSubstr("ollama pull qwen3"));
}

TEST(DiscoveryLive, OllamaIsSpokenToInItsOwnDialect) {
  Facts server(
      Answers{{"GET /api/version", R"({"version":"0.13.3"})"}, {"GET /v1/models", R"({"data":[{"id":"m"}]})"}});
  const auto facts = server.of("chat+URL/v1#m");
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ChatErrorKind::Request);
  EXPECT_THAT(facts.error().message, HasSubstr("silently"));
  EXPECT_THAT(facts.error().next, HasSubstr("ollama+http://127.0.0.1:"));
}

TEST(DiscoveryLive, ModelListsTellContextPricesAndNames) {
  const std::string list =
      R"({"data":[{"id":"maker/big","context_length":200000,"top_provider":{"context_length":131072,)"
      R"("max_completion_tokens":9000},"pricing":{"prompt":"0.000001","completion":"0.000004",)"
      R"("input_cache_read":"0.0000001"},"supported_parameters":["tools","seed"]},{"id":"maker/small"}]})";
  Facts server(Answers{{"GET /v1/models", list}});
  const auto facts =
      server.of("openrouter:maker/big", {{"OPENROUTER_API_KEY", kLiveKey}, {"OPENROUTER_BASE_URL", "URL"}});
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->contextTokens, 131072);
  EXPECT_EQ(facts->maxOutputTokens, 9000);
  EXPECT_EQ(facts->contextSource, "/models");
  EXPECT_EQ(facts->takesTools, true);
  EXPECT_EQ(facts->inputUsd, 1e-6);
  EXPECT_EQ(facts->outputUsd, 4e-6);
  EXPECT_EQ(facts->cacheReadUsd, 1e-7);
  EXPECT_FALSE(facts->cacheWriteUsd);

  const auto wrong =
      server.of("openrouter:maker/bigg", {{"OPENROUTER_API_KEY", kLiveKey}, {"OPENROUTER_BASE_URL", "URL"}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ChatErrorKind::Model);
  EXPECT_THAT(wrong.error().message, HasSubstr("maker/bigg"));
  EXPECT_THAT(wrong.error().next, HasSubstr("maker/big"));

  // No list holds these names, but servers know them.
  for (const char *alias : {"openrouter:maker/big:free", "openrouter:~maker/big-latest"})
    EXPECT_TRUE(server.of(alias, {{"OPENROUTER_API_KEY", kLiveKey}, {"OPENROUTER_BASE_URL", "URL"}})) << alias;
  Facts dated(Answers{{"GET /v1/models", R"({"data":[{"id":"grok-4-0709"}]})"}});
  EXPECT_TRUE(dated.of("xai:grok-4", {{"XAI_BASE_URL", "URL"}}));
  EXPECT_FALSE(dated.of("xai:gork", {{"XAI_BASE_URL", "URL"}}));

  Facts vllm(Answers{{"GET /v1/models", R"({"object":"list","data":[{"id":"served","max_model_len":4096}]})"}});
  const auto served = vllm.of("vllm:served", {{"VLLM_BASE_URL", "URL"}});
  ASSERT_TRUE(served) << served.error().message;
  EXPECT_EQ(served->contextTokens, 4096);
  EXPECT_FALSE(vllm.of("vllm:other", {{"VLLM_BASE_URL", "URL"}}));

  Facts gemini(Answers{{"GET /v1/models", R"({"data":[{"id":"models/gemini-3.5-flash"}]})"}});
  const auto flash = gemini.of("gemini:gemini-3.5-flash", {{"GEMINI_BASE_URL", "URL"}});
  ASSERT_TRUE(flash) << flash.error().message;
  EXPECT_EQ(flash->contextTokens, 1048576);
  EXPECT_THAT(flash->contextSource, HasSubstr("built-in table of 2026"));
}

TEST(DiscoveryLive, LmStudioTellsWhatIsLoaded) {
  Facts server(
      Answers{{"GET /api/v0/models", R"({"data":[{"id":"m","max_context_length":131072,"loaded_context_length":4096,)"
                                     R"("capabilities":["tool_use"]}]})"}});
  const auto facts = server.of("lmstudio:m", {{"LMSTUDIO_BASE_URL", "URL"}});
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->contextTokens, 4096);
  EXPECT_EQ(facts->takesTools, true);
  EXPECT_FALSE(server.of("lmstudio:n", {{"LMSTUDIO_BASE_URL", "URL"}}));
}

TEST(DiscoveryLive, AnthropicKnowsItsModelsOneByOne) {
  Facts server(Answers{{"GET /v1/models/claude-opus-5-5", R"({"type":"model","id":"claude-opus-5-5"})"},
                       {"GET /v1/models", R"({"data":[{"id":"claude-opus-5-5"}]})"}});
  const auto facts = server.of("anthropic:claude-opus-5-5", {{"ANTHROPIC_BASE_URL", "URL"}});
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->contextTokens, 1'000'000);
  const auto wrong = server.of("anthropic:claude-opus-55", {{"ANTHROPIC_BASE_URL", "URL"}});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().next, HasSubstr("claude-opus-5-5"));
}

TEST(DiscoveryLive, WhatNobodyTellsIsAssumedAndSaidToBe) {
  Facts silent(Answers{});
  const auto facts = silent.of("URL#m");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->contextTokens, 8192);
  EXPECT_EQ(facts->contextSource, "assumed");
  EXPECT_FALSE(facts->takesTools);
  for (const char *answer : {"[]", "7", "{\"data\":7}", "{\"data\":[{\"id\":7},null]}", "not json", "null"}) {
    Facts odd(Answers{{"GET /v1/models", answer}, {"GET /props", answer}});
    const auto assumed = odd.of("URL#m");
    ASSERT_TRUE(assumed) << answer << ": " << assumed.error().message;
    EXPECT_EQ(assumed->contextSource, "assumed") << answer;
  }
}

TEST(DiscoveryLive, ARefusedKeyAndASilentServerAreErrors) {
  Facts server(Answers{{"GET /v1/models", "!401{\"error\":{\"message\":\"no\"}}"}});
  const auto refused = server.of("openai:gpt-5.4", {{"OPENAI_BASE_URL", "URL"}, {"OPENAI_API_KEY", kLiveKey}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ChatErrorKind::Key);
  EXPECT_THAT(refused.error().next, HasSubstr("OPENAI_API_KEY"));
  std::string gone;
  {
    LoopbackServer closed([](const ServedRequest &, Served &) {});
    gone = closed.url();
  }
  auto model = makeChatModel(gone + "#m", liveSettings());
  ASSERT_TRUE(model);
  const auto facts = (*model)->discover(nullptr);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ChatErrorKind::Network);
}

TEST(DiscoveryLive, WhoCanBeReached) {
  LoopbackServer server([](const ServedRequest &request, Served &served) {
    const bool isWrong = request.headers.contains("authorization") &&
                         request.headers.at("authorization") != std::string("Bearer ") + kLiveKey;
    served.answer(isWrong ? 401 : 200, "{}");
  });
  std::map<std::string, std::string> environment = {
      {"OPENAI_BASE_URL", server.url()},        {"OPENAI_API_KEY", kLiveKey},  {"GROQ_BASE_URL", server.url()},
      {"GROQ_API_KEY", "wrong-key-0123456789"}, {"OLLAMA_HOST", server.url()}, {"XAI_BASE_URL", "nonsense://"}};
  for (const ProviderRow &row : providerTable())
    if (!row.needsKey) // it would be asked on this machine
      environment.try_emplace(std::string(row.baseUrlName), "http://127.0.0.1:1");
  const auto states = providerStates(environmentOf(environment), true, nullptr);
  std::map<std::string, ProviderState> byName;
  for (const ProviderState &state : states)
    byName[state.name] = state;
  EXPECT_EQ(byName["openai"].reach, Reach::Yes);
  EXPECT_EQ(byName["groq"].reach, Reach::KeyRefused);
  EXPECT_EQ(byName["ollama"].reach, Reach::Yes);
  EXPECT_EQ(byName["vllm"].reach, Reach::No);
  EXPECT_EQ(byName["anthropic"].reach, Reach::NotTried); // no key: nobody is asked
  EXPECT_EQ(byName["anthropic"].detail, "no key");
  EXPECT_THAT(byName["xai"].detail, HasSubstr("XAI_BASE_URL"));
}

} // namespace
} // namespace agentic
