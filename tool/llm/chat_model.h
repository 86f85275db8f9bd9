// Makes the model that a user's name denotes.
#pragma once

#include "tool/llm/chat.h"
#include "tool/secrets/redactor.h"

#include <memory>

namespace agentic {

struct ChatSettings {
  EnvironmentLookup environment;      ///< keys, addresses, proxies, certificates
  std::shared_ptr<Redactor> redactor; ///< gets every key that is loaded; made if it is missing
  bool stream = true;                 ///< false: the whole reply at once, for servers that cannot stream
  std::int64_t contextTokens = 0;     ///< context size given by the user; 0 = ask the server
  /// Longest silence before and within a reply; 0 = the default: longer for near servers, which may be slow.
  double firstTokenSeconds = 0, betweenTokensSeconds = 0;
  double totalSeconds = 0;     ///< time limit of a call, whether tokens come or not; 0 = no limit
  bool allowPlainHttp = false; ///< a key may travel unencrypted over the internet
};

/// Makes a model from "<provider>:<model>" or "[<dialect>+]<http-url>#<model>". Makes no request yet. A server that
/// needs its context size in requests (Ollama) gets the result of discover(): call that first. Errors: unknown provider
/// (with the nearest name), no model, no key (by the name of its variable).
ChatResult<std::unique_ptr<ChatModel>> makeChatModel(const std::string &name, const ChatSettings &settings);

} // namespace agentic
