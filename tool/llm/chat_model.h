// From the name that a user gives to the model behind it.
#pragma once

#include "tool/llm/chat.h"
#include "tool/secrets/redactor.h"

#include <memory>

namespace agentic {

struct ChatSettings {
  EnvironmentLookup environment;      ///< keys, addresses, proxies, certificates
  std::shared_ptr<Redactor> redactor; ///< learns every key that is loaded; one is made if it is missing
  bool stream = true;                 ///< false: the whole reply at once, for servers that cannot stream
  std::int64_t contextTokens = 0;     ///< the user's word for the context size; 0 = ask the server
  /// Longest silence before and within a reply; 0 = the default: longer for servers near by, which may be slow.
  double firstTokenSeconds = 0, betweenTokensSeconds = 0;
  double totalSeconds = 0;     ///< longest call, whether tokens come or not; 0 = no limit
  bool allowPlainHttp = false; ///< a key may travel unencrypted over the internet
};

/// "<provider>:<model>" or "[<dialect>+]<http-url>#<model>". Asks nobody anything yet; of a server that has to be told
/// its context size (Ollama), requests say what discover() found: call that first. Errors: unknown provider (with the
/// nearest name), no model, no key (by the name of its variable).
ChatResult<std::unique_ptr<ChatModel>> makeChatModel(const std::string &name, const ChatSettings &settings);

} // namespace agentic
