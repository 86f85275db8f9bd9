#include "tool/llm/providers.h"

#include "tool/base/text.h"

#include <algorithm>

namespace agentic {
namespace {

Quirks plain() {
  return {};
}
Quirks openAi() {
  return {.maxTokensField = "max_completion_tokens", .systemRole = "developer"};
}
Quirks openRouter() {
  return {.effortStyle = "reasoning", .streamUsage = false}; // usage and cost come in every answer
}
Quirks xApiKey() {
  return {.keyInXApiKey = true};
}
Quirks groq() {
  return {.maxTokensField = "max_completion_tokens", .plainHistory = true};
}
Quirks mistral() {
  return {.effortStyle = "", .streamUsage = false, .plainHistory = true, .sendsSeed = false};
}
Quirks gemini() {
  return {.sendsSeed = false};
}
Quirks xai() {
  return {.maxTokensField = "max_completion_tokens"};
}

// clang-format off
constexpr ProviderRow kProviderRows[] = {
    // name         dialect      of tools     base URL                                                  replaced by            key                   needed  facts
    {"openai",     "chat",      "responses", "https://api.openai.com/v1",                               "OPENAI_BASE_URL",     "OPENAI_API_KEY",     true,  FactsFrom::OpenAiModels,     openAi},
    {"openrouter", "chat",      "",          "https://openrouter.ai/api/v1",                            "OPENROUTER_BASE_URL", "OPENROUTER_API_KEY", true,  FactsFrom::OpenRouterModels, openRouter},
    {"anthropic",  "anthropic", "",          "https://api.anthropic.com/v1",                            "ANTHROPIC_BASE_URL",  "ANTHROPIC_API_KEY",  true,  FactsFrom::AnthropicModels,  xApiKey},
    {"gemini",     "chat",      "",          "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_BASE_URL",     "GEMINI_API_KEY",     true,  FactsFrom::OpenAiModels,     gemini},
    {"groq",       "chat",      "",          "https://api.groq.com/openai/v1",                          "GROQ_BASE_URL",       "GROQ_API_KEY",       true,  FactsFrom::OpenAiModels,     groq},
    {"together",   "chat",      "",          "https://api.together.xyz/v1",                             "TOGETHER_BASE_URL",   "TOGETHER_API_KEY",   true,  FactsFrom::OpenAiModels,     plain},
    {"deepseek",   "chat",      "",          "https://api.deepseek.com/v1",                             "DEEPSEEK_BASE_URL",   "DEEPSEEK_API_KEY",   true,  FactsFrom::OpenAiModels,     plain},
    {"mistral",    "chat",      "",          "https://api.mistral.ai/v1",                               "MISTRAL_BASE_URL",    "MISTRAL_API_KEY",    true,  FactsFrom::OpenAiModels,     mistral},
    {"xai",        "chat",      "",          "https://api.x.ai/v1",                                     "XAI_BASE_URL",        "XAI_API_KEY",        true,  FactsFrom::OpenAiModels,     xai},
    {"ollama",     "ollama",    "",          "http://127.0.0.1:11434",                                  "OLLAMA_HOST",         "OLLAMA_API_KEY",     false, FactsFrom::Ollama,           plain},
    {"llamacpp",   "chat",      "",          "http://127.0.0.1:8080/v1",                                "LLAMACPP_BASE_URL",   "LLAMA_API_KEY",      false, FactsFrom::LlamaServer,      plain},
    {"vllm",       "chat",      "",          "http://127.0.0.1:8000/v1",                                "VLLM_BASE_URL",       "VLLM_API_KEY",       false, FactsFrom::Vllm,             plain},
    {"lmstudio",   "chat",      "",          "http://127.0.0.1:1234/v1",                                "LMSTUDIO_BASE_URL",   "LMSTUDIO_API_KEY",   false, FactsFrom::LmStudio,         plain},
};
// clang-format on

std::unexpected<ChatError> refused(std::string message, std::string next, ChatErrorKind kind = ChatErrorKind::Request) {
  return std::unexpected(
      ChatError{.kind = kind, .message = std::move(message), .next = std::move(next), .maybeBilled = false});
}

std::string valueOf(const EnvironmentLookup &environment, std::string_view name) {
  if (name.empty() || !environment)
    return {};
  return std::string(trim(environment(std::string(name)).value_or("")));
}

/// Ollama's variable may lack the scheme and the port, or name the address to listen on.
std::string ollamaUrl(std::string host) {
  if (!host.contains("://"))
    host = "http://" + host;
  UrlParts parts = urlParts(host);
  if (parts.host.empty())
    return host;
  if (parts.host == "0.0.0.0" || parts.host == "[::]")
    parts.host = "127.0.0.1";
  if (parts.port.empty())
    parts.port = parts.scheme == "https" ? "443" : "11434";
  return parts.scheme + "://" + parts.host + ":" + parts.port + (parts.path == "/" ? "" : parts.path);
}

/// Returns the base of a URL as people paste it: without the path of the call, with the version that servers expect.
std::string baseOf(std::string url, const Dialect &dialect) {
  const auto strip = [&](std::string_view end) {
    if (url.ends_with(end))
      url.resize(url.size() - end.size());
  };
  strip("/");
  strip(dialect.path());
  strip("/");
  if (dialect.name() == "anthropic") // the variable and the documentation omit it
    return url.ends_with("/v1") ? url : url + "/v1";
  const UrlParts parts = urlParts(url);
  const bool hasPath = !parts.path.empty() && parts.path != "/";
  return hasPath || dialect.name() == "ollama" ? url : url + "/v1";
}

const Dialect &guessedDialect(const UrlParts &url) {
  if (url.path.ends_with("/messages") || url.host == "api.anthropic.com" || url.path.ends_with("/anthropic/v1"))
    return anthropicDialect();
  if (url.path.ends_with("/responses"))
    return responsesDialect();
  if (url.path.starts_with("/api/chat") || (url.port == "11434" && !url.path.starts_with("/v1")))
    return ollamaDialect();
  return chatCompletionsDialect();
}

ChatResult<Endpoint> urlEndpoint(const std::string &name, const EnvironmentLookup &environment) {
  const std::size_t hash = name.rfind('#');
  if (hash == std::string::npos || hash + 1 == name.size())
    return refused("'" + name + "' names no model", "append it to the address: " + name.substr(0, hash) + "#<model>");
  std::string url = name.substr(0, hash);
  const Dialect *dialect = nullptr;
  if (const std::size_t plus = url.find('+'); plus < url.find("://")) {
    dialect = dialectNamed(url.substr(0, plus));
    if (!dialect)
      return refused("'" + url.substr(0, plus) + "' is no dialect",
                     "use chat, anthropic, responses or ollama in front of the '+'");
    url = url.substr(plus + 1);
  }
  const UrlParts parts = urlParts(url);
  if (parts.host.empty())
    return refused("the address in '" + name + "' is no http or https URL", "write it as http://host:port#<model>");
  if (!parts.user.empty() || !parts.query.empty())
    return refused("the address of the model holds a user or a query",
                   "put the key into " + std::string(kUrlKeyName) + " and leave it out of the address");
  if (!dialect)
    dialect = &guessedDialect(parts);
  Endpoint endpoint{.provider = parts.host + (parts.port.empty() ? "" : ":" + parts.port),
                    .model = name.substr(hash + 1),
                    .baseUrl = baseOf(url, *dialect),
                    .keyName = std::string(kUrlKeyName),
                    .key = valueOf(environment, kUrlKeyName),
                    .needsKey = !valueOf(environment, kUrlKeyName).empty(),
                    .dialect = dialect,
                    .dialectOfTools = dialect};
  endpoint.quirks.keyInXApiKey = dialect->name() == "anthropic";
  endpoint.facts = dialect->name() == "ollama" ? FactsFrom::Ollama : FactsFrom::AnyServer;
  return endpoint;
}

} // namespace

std::span<const ProviderRow> providerTable() {
  return kProviderRows;
}

std::vector<std::string> keyVariables() {
  std::vector<std::string> names = {std::string(kUrlKeyName)};
  for (const ProviderRow &row : providerTable())
    if (!row.keyName.empty())
      names.emplace_back(row.keyName);
  return names;
}

const ProviderRow *providerNamed(std::string_view name) {
  const auto *found = std::ranges::find(kProviderRows, name, &ProviderRow::name);
  return found == std::end(kProviderRows) ? nullptr : found;
}

ChatResult<Endpoint> endpointOf(const ProviderRow &row, const std::string &model,
                                const EnvironmentLookup &environment) {
  Endpoint endpoint{.provider = std::string(row.name),
                    .model = model,
                    .baseUrl = std::string(row.baseUrl),
                    .keyName = std::string(row.keyName),
                    .key = valueOf(environment, row.keyName),
                    .needsKey = row.needsKey,
                    .dialect = dialectNamed(row.dialect),
                    .dialectOfTools = dialectNamed(row.dialectOfTools.empty() ? row.dialect : row.dialectOfTools),
                    .facts = row.facts,
                    .quirks = row.quirks()};
  std::string replaced = valueOf(environment, row.baseUrlName);
  if (replaced.empty())
    return endpoint;
  if (row.facts == FactsFrom::Ollama)
    replaced = ollamaUrl(replaced);
  const UrlParts parts = urlParts(replaced);
  if (parts.host.empty() || !parts.query.empty() || !parts.user.empty())
    return refused(std::string(row.baseUrlName) + " holds no plain http or https URL",
                   "set it to an address such as " + std::string(row.baseUrl) + ", or unset it");
  endpoint.baseUrl = baseOf(replaced, *endpoint.dialect);
  return endpoint;
}

std::string howToNameModel(std::string_view provider) {
  return "write it as " + std::string(provider) + ":<model>, as in openai:gpt-5-mini or ollama:qwen3-coder";
}

ChatResult<Endpoint> resolveEndpoint(const std::string &name, const EnvironmentLookup &environment) {
  if (name.contains("://"))
    return urlEndpoint(name, environment);
  const std::size_t colon = name.find(':');
  const std::string provider = name.substr(0, colon);
  const ProviderRow *row = providerNamed(provider);
  if (!row) {
    std::vector<std::string> names = {"command", "replay"}; // agents that are not providers
    for (const ProviderRow &each : kProviderRows)
      names.emplace_back(each.name);
    const std::string meant = didYouMean(provider, names);
    return refused("no provider named '" + provider + "'", (meant.empty() ? "" : "did you mean '" + meant + "'? ") +
                                                               std::string("run 'agentic-kernel agents' to list them"));
  }
  if (colon == std::string::npos || colon + 1 == name.size())
    return refused("'" + name + "' names no model", howToNameModel(provider));
  return endpointOf(*row, name.substr(colon + 1), environment);
}

} // namespace agentic
