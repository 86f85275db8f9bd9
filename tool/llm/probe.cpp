#include "tool/llm/probe.h"

#include "tool/llm/discovery.h"
#include "tool/llm/http_model.h"
#include "tool/secrets/redactor.h"

#include <thread>

namespace agentic {
namespace {

constexpr double kSecondsToConnect = 3, kSecondsToListen = 5;

/// Reads only the status.
class StatusSink : public HttpSink {
public:
  void head(int status, const HttpHeaders &) override { status_ = status; }
  BodyStep body(std::string_view) override { return BodyStep::Done; }
  int status_ = 0;
};

/// Returns a URL that every such server answers at no cost, and only with the right key if it needs one.
std::string question(const Endpoint &endpoint) {
  switch (endpoint.facts) {
  case FactsFrom::Ollama:
    return endpoint.baseUrl + "/api/tags";
  case FactsFrom::OpenRouterModels:
    return endpoint.baseUrl + "/key";
  default:
    return endpoint.baseUrl + "/models";
  }
}

void ask(const Endpoint &endpoint, HttpTransport transport, const std::atomic<bool> *cancelled, ProviderState &state) {
  transport.connectSeconds = kSecondsToConnect;
  transport.firstSeconds = transport.betweenSeconds = kSecondsToListen;
  StatusSink sink;
  const HttpOutcome outcome =
      exchange({.method = "GET",
                .url = question(endpoint),
                .headers = endpoint.dialect->headers(endpoint.key, {.stream = false, .quirks = endpoint.quirks})},
               transport, cancelled, sink);
  if (outcome.status == 0) {
    state.reach = Reach::No;
    Redactor redactor;
    redactor.add(endpoint.key);
    state.detail = redactor.redact(outcome.reason);
  } else if (outcome.status == 401 || outcome.status == 403) {
    state.reach = Reach::KeyRefused;
    state.detail = endpoint.key.empty() ? "asks for a key" : "refuses the key";
  } else if (outcome.status >= 300 && outcome.status != 404) {
    state.reach = Reach::No;
    state.detail = "answers with status " + std::to_string(outcome.status);
  } else {
    state.reach = Reach::Yes;
  }
}

} // namespace

std::vector<ProviderState> providerStates(const EnvironmentLookup &environment, bool askThem,
                                          const std::atomic<bool> *cancelled) {
  const HttpTransport transport = transportOf(environment);
  std::vector<ProviderState> states(providerTable().size());
  std::vector<std::jthread> threads; // one for each, because they only wait
  for (std::size_t i = 0; i < states.size(); ++i) {
    const ProviderRow &row = providerTable()[i];
    ProviderState &state = states[i];
    state = {.name = std::string(row.name),
             .keyName = std::string(row.keyName),
             .needsKey = row.needsKey,
             .baseUrl = std::string(row.baseUrl),
             .baseUrlName = std::string(row.baseUrlName)};
    const ChatResult<Endpoint> endpoint = endpointOf(row, "", environment);
    if (!endpoint) {
      state.baseUrl = "";
      state.detail = endpoint.error().message;
      continue;
    }
    state.baseUrl = endpoint->baseUrl;
    state.keyIsSet = !endpoint->key.empty();
    if (state.needsKey && !state.keyIsSet && !isNearHost(urlParts(endpoint->baseUrl).host))
      state.detail = "no key";
    else if (const auto usable = checkKey(*endpoint, false); !usable)
      state.detail = usable.error().message;
    else if (askThem && (state.keyIsSet || isNearHost(urlParts(endpoint->baseUrl).host)))
      threads.emplace_back(
          [&state, transport, cancelled, endpoint = *endpoint] { ask(endpoint, transport, cancelled, state); });
  }
  return states;
}

} // namespace agentic
