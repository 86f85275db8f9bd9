// The providers, one row each: address, dialect, source of the key, and source of the facts.
#pragma once

#include "tool/llm/dialect.h"

#include <span>

namespace agentic {

/// The request that returns a model's context size.
enum class FactsFrom {
  OpenAiModels,     ///< GET /models: whether it exists
  OpenRouterModels, ///< GET /models: context, prices, tools
  AnthropicModels,  ///< GET /models/<name>
  Ollama,           ///< POST /api/show, GET /api/ps
  LlamaServer,      ///< GET /props
  Vllm,             ///< GET /models: max_model_len
  LmStudio,         ///< GET /api/v0/models
  AnyServer,        ///< the first of these that answers
};

struct ProviderRow {
  std::string_view name;
  std::string_view dialect;        ///< for calls without tools
  std::string_view dialectOfTools; ///< for calls with tools; "" = the same
  std::string_view baseUrl;        ///< with its /v1 where it has one
  std::string_view baseUrlName;    ///< environment variable that replaces it; "" = none
  std::string_view keyName;        ///< environment variable; "" = none
  bool needsKey;
  FactsFrom facts;
  Quirks (*quirks)();
};

std::span<const ProviderRow> providerTable();
const ProviderRow *providerNamed(std::string_view name);

/// The environment variable of a key for a server that is given by its URL.
constexpr std::string_view kUrlKeyName = "AGENTIC_KERNEL_API_KEY";
/// Returns all variables that hold a key: this one and those of the table.
std::vector<std::string> keyVariables();

/// The address and dialect of a model: a row with the environment and the name's own parts filled in.
struct Endpoint {
  std::string provider; ///< the row's name, or the URL's host
  std::string model;
  std::string baseUrl; ///< without a slash at its end
  std::string keyName, key;
  bool needsKey = false; ///< a server given by its URL: a key is set
  const Dialect *dialect = nullptr, *dialectOfTools = nullptr;
  FactsFrom facts = FactsFrom::AnyServer;
  Quirks quirks;
};

/// Resolves "<provider>:<model>" or "[<dialect>+]<http-url>#<model>". Errors name the fault and near names.
ChatResult<Endpoint> resolveEndpoint(const std::string &name, const EnvironmentLookup &environment);

/// Returns advice on a provider's name alone: "write it as openai:<model>, …".
std::string howToNameModel(std::string_view provider);

/// Returns a row's endpoint without a model, for `agents`. An error says why if its environment variable holds no URL.
ChatResult<Endpoint> endpointOf(const ProviderRow &row, const std::string &model, const EnvironmentLookup &environment);

} // namespace agentic
