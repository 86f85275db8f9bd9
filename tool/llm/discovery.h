// Discovers whether a model exists and how large its context is, before the first paid call, at no cost.
#pragma once

#include "tool/llm/http.h"
#include "tool/llm/providers.h"

namespace agentic {

struct Discovery {
  const Endpoint &endpoint;
  HttpTransport transport;
  std::int64_t contextTokens = 0; ///< context size given by the user; 0 = none
};

/// Asks the servers that the endpoint's row names. A model that is not there is ChatErrorKind::Model with names near
/// it; a server that cannot tell the context size leaves the built-in table, then 8192 with the source "assumed".
ChatResult<ModelFacts> discoverFacts(const Discovery &discovery, const std::atomic<bool> *cancelled);

ErrorContext errorContext(const Endpoint &endpoint);

} // namespace agentic
