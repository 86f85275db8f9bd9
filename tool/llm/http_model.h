// A model behind an HTTP server: an endpoint, its dialect, and the exchange between them.
#pragma once

#include "tool/llm/chat_model.h"
#include "tool/llm/http.h"
#include "tool/llm/providers.h"

namespace agentic {

/// Of a server that has to be told its context size (Ollama), requests say what discover() found: call that first.
ChatResult<std::unique_ptr<ChatModel>> makeHttpModel(const std::string &name, const ChatSettings &settings);

/// How to get to servers, as the environment says: proxies and certificates.
HttpTransport transportOf(const EnvironmentLookup &environment);

/// Whether the endpoint's key may be sent to its address, and is there at all if it has to be.
ChatResult<void> checkKey(const Endpoint &endpoint, bool allowPlainHttp);

} // namespace agentic
