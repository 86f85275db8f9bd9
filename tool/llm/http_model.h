// The transport to a server, for all modules that call one.
#pragma once

#include "tool/llm/chat_model.h"
#include "tool/llm/http.h"
#include "tool/llm/providers.h"

namespace agentic {

/// Returns the transport settings of the environment: proxies and certificates.
HttpTransport transportOf(const EnvironmentLookup &environment);

/// Checks that the endpoint's key may be sent to its address, and exists if it is required.
ChatResult<void> checkKey(const Endpoint &endpoint, bool allowPlainHttp);

} // namespace agentic
