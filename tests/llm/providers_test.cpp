#include "tool/llm/chat_model.h"
#include "tool/llm/http_model.h"
#include "tool/llm/providers.h"
#include "tool/llm/retry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

EnvironmentLookup with(std::map<std::string, std::string> values) {
  return [values](const std::string &name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(Providers, EveryRowIsComplete) {
  for (const ProviderRow &row : providerTable()) {
    EXPECT_NE(dialectNamed(row.dialect), nullptr) << row.name;
    EXPECT_TRUE(row.dialectOfTools.empty() || dialectNamed(row.dialectOfTools)) << row.name;
    EXPECT_FALSE(urlParts(std::string(row.baseUrl)).host.empty()) << row.name;
    EXPECT_FALSE(row.keyName.empty()) << row.name;
    EXPECT_EQ(row.needsKey, row.baseUrl.starts_with("https")) << row.name;
    const auto endpoint = resolveEndpoint(std::string(row.name) + ":a/b:c#d", with({}));
    ASSERT_TRUE(endpoint) << row.name;
    EXPECT_EQ(endpoint->model, "a/b:c#d");
    EXPECT_EQ(endpoint->baseUrl, row.baseUrl);
  }
  EXPECT_EQ(providerNamed("openai")->dialectOfTools, "responses");
}

TEST(Providers, AddressesComeFromTheEnvironment) {
  struct Row {
    const char *name, *variable, *value, *baseUrl;
  };
  const Row rows[] = {
      {"openai:m", "OPENAI_BASE_URL", "http://127.0.0.1:9/v1/", "http://127.0.0.1:9/v1"},
      {"openai:m", "OPENAI_BASE_URL", "https://gateway.example", "https://gateway.example/v1"},
      {"openai:m", "OPENAI_BASE_URL", "https://h.example/v1/chat/completions", "https://h.example/v1"},
      {"anthropic:m", "ANTHROPIC_BASE_URL", "https://h.example", "https://h.example/v1"},
      {"anthropic:m", "ANTHROPIC_BASE_URL", "https://h.example/proxy/", "https://h.example/proxy/v1"},
      {"anthropic:m", "ANTHROPIC_BASE_URL", "https://h.example/v1", "https://h.example/v1"},
      {"ollama:m", "OLLAMA_HOST", "127.0.0.1:9", "http://127.0.0.1:9"},
      {"ollama:m", "OLLAMA_HOST", "box", "http://box:11434"},
      {"ollama:m", "OLLAMA_HOST", "0.0.0.0", "http://127.0.0.1:11434"},
      {"ollama:m", "OLLAMA_HOST", "http://0.0.0.0:9/", "http://127.0.0.1:9"},
      {"ollama:m", "OLLAMA_HOST", "https://h.example", "https://h.example:443"},
      {"ollama:m", "OLLAMA_HOST", "", "http://127.0.0.1:11434"},
  };
  for (const Row &row : rows) {
    const auto endpoint = resolveEndpoint(row.name, with({{row.variable, row.value}}));
    ASSERT_TRUE(endpoint) << row.value;
    EXPECT_EQ(endpoint->baseUrl, row.baseUrl) << row.value;
  }
  const auto bad = resolveEndpoint("openai:m", with({{"OPENAI_BASE_URL", "ftp://x"}}));
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("OPENAI_BASE_URL"));
}

TEST(Providers, UrlsNameTheirDialect) {
  struct Row {
    const char *name, *dialect, *baseUrl;
  };
  const Row rows[] = {
      {"http://127.0.0.1:8080#m", "chat", "http://127.0.0.1:8080/v1"},
      {"http://127.0.0.1:8080/v1/#m", "chat", "http://127.0.0.1:8080/v1"},
      {"http://127.0.0.1:8080/v1/chat/completions#m", "chat", "http://127.0.0.1:8080/v1"},
      {"https://h.example/api/v3#m", "chat", "https://h.example/api/v3"},
      {"http://127.0.0.1:11434#m", "ollama", "http://127.0.0.1:11434"},
      {"http://127.0.0.1:11434/v1#m", "chat", "http://127.0.0.1:11434/v1"},
      {"https://api.anthropic.com#m", "anthropic", "https://api.anthropic.com/v1"},
      {"https://h.example/v1/messages#m", "anthropic", "https://h.example/v1"},
      {"https://h.example/v1/responses#m", "responses", "https://h.example/v1"},
      {"anthropic+http://127.0.0.1:1#m", "anthropic", "http://127.0.0.1:1/v1"},
      {"ollama+http://127.0.0.1:1#m", "ollama", "http://127.0.0.1:1"},
      {"chat+http://127.0.0.1:11434#m", "chat", "http://127.0.0.1:11434/v1"},
  };
  for (const Row &row : rows) {
    const auto endpoint =
        resolveEndpoint(row.name, with({{"OPENAI_API_KEY", "not-for-you"}, {"AGENTIC_KERNEL_API_KEY", "k"}}));
    ASSERT_TRUE(endpoint) << row.name << endpoint.error().message;
    EXPECT_EQ(endpoint->dialect->name(), row.dialect) << row.name;
    EXPECT_EQ(endpoint->baseUrl, row.baseUrl) << row.name;
    EXPECT_EQ(endpoint->model, "m");
    EXPECT_EQ(endpoint->key, "k"); // never a provider's
  }
}

TEST(Providers, WhatIsWrongWithANameIsSaid) {
  struct Row {
    const char *name, *message, *next;
  };
  const Row rows[] = {
      {"opnai:gpt", "no provider named 'opnai'", "did you mean 'openai'?"},
      {"zzzzzzzz:gpt", "no provider named 'zzzzzzzz'", "agentic-kernel agents"},
      {"comand:./ask.sh", "no provider named 'comand'", "did you mean 'command'?"},
      {"openai", "names no model", "openai:<model>, as in openai:gpt-5-mini"},
      {"openai:", "names no model", "openai:<model>"},
      {"http://127.0.0.1:1", "names no model", "#<model>"},
      {"http://127.0.0.1:1#", "names no model", "#<model>"},
      {"telnet+http://127.0.0.1#m", "'telnet' is no dialect", "chat"},
      {"ftp://h#m", "no http or https URL", "http://"},
      {"http://u:geheim99@h#m", "holds a user or a query", "AGENTIC_KERNEL_API_KEY"},
  };
  for (const Row &row : rows) {
    const auto model = makeChatModel(row.name, {.environment = with({})});
    ASSERT_FALSE(model) << row.name;
    EXPECT_THAT(model.error().message, HasSubstr(row.message));
    EXPECT_THAT(model.error().next, HasSubstr(row.next));
    EXPECT_THAT(model.error().message, testing::Not(HasSubstr("geheim99")));
    EXPECT_FALSE(model.error().maybeBilled);
  }
}

TEST(Providers, KeysAreNeededAndStayWhereTheyBelong) {
  const auto without = makeChatModel("openai:gpt", {.environment = with({})});
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().kind, ChatErrorKind::Key);
  EXPECT_THAT(without.error().message, HasSubstr("OPENAI_API_KEY"));
  EXPECT_TRUE(makeChatModel("openai:gpt", {.environment = with({{"OPENAI_API_KEY", "sk-1234567890"}})}));
  EXPECT_TRUE(makeChatModel("openai:gpt", {.environment = with({{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"}})}));
  const auto environment = with({{"OPENAI_API_KEY", "sk-1234567890"}, {"OPENAI_BASE_URL", "http://h.example/v1"}});
  const auto plain = makeChatModel("openai:gpt", {.environment = environment});
  ASSERT_FALSE(plain);
  EXPECT_THAT(plain.error().message, HasSubstr("unencrypted"));
  EXPECT_THAT(plain.error().message + plain.error().next, testing::Not(HasSubstr("sk-123")));
  EXPECT_TRUE(makeChatModel("openai:gpt", {.environment = environment, .allowPlainHttp = true}));
  const auto lines = makeChatModel("openai:gpt", {.environment = with({{"OPENAI_API_KEY", "sk-12\r\nX: 1"}})});
  ASSERT_FALSE(lines);
  EXPECT_THAT(lines.error().message, HasSubstr("several lines"));
}

TEST(Providers, HostsNearBy) {
  for (const char *host : {"localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]"})
    EXPECT_TRUE(isLoopbackHost(host)) << host;
  for (const char *host : {"10.1.2.3", "172.16.0.1", "172.31.9.9", "192.168.1.1", "box", "box.local", "[fd00::1]"}) {
    EXPECT_TRUE(isNearHost(host)) << host;
    EXPECT_FALSE(isLoopbackHost(host)) << host;
  }
  for (const char *host : {"127.0.0.1.example", "172.32.0.1", "192.169.0.1", "11.0.0.1", "localhost.example",
                           "h.example", "1.2.3", "[2001:db8::1]"})
    EXPECT_FALSE(isNearHost(host)) << host;
}

TEST(Providers, ProxiesAndCertificatesComeFromTheEnvironment) {
  const HttpTransport transport = transportOf(with(
      {{"https_proxy", "http://p:1"}, {"HTTP_PROXY", "http://evil:1"}, {"NO_PROXY", "a,b"}, {"SSL_CERT_FILE", "/c"}}));
  EXPECT_EQ(transport.httpsProxy, "http://p:1");
  EXPECT_EQ(transport.httpProxy, "");
  EXPECT_EQ(transport.noProxy, "a,b");
  EXPECT_EQ(transport.caFile, "/c");
  EXPECT_EQ(transportOf(with({{"ALL_PROXY", "http://p:2"}})).httpProxy, "http://p:2");
}

} // namespace
} // namespace agentic
