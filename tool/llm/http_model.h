// How a server is reached, for whoever asks one.
#pragma once

#include "tool/llm/chat_model.h"
#include "tool/llm/http.h"
#include "tool/llm/providers.h"

namespace agentic {

/// How to get to servers, as the environment says: proxies and certificates.
HttpTransport transportOf(const EnvironmentLookup &environment);

/// Whether the endpoint's key may be sent to its address, and is there at all if it has to be.
ChatResult<void> checkKey(const Endpoint &endpoint, bool allowPlainHttp);

} // namespace agentic
