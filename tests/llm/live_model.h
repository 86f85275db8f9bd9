// Models behind a LoopbackServer, and the shortest request.
#pragma once

#include "tests/llm/loopback_server.h"
#include "tool/llm/chat_model.h"
#include "tool/llm/retry.h"

namespace agentic {

inline constexpr const char *kLiveKey = "live-key-0123456789";

inline EnvironmentLookup environmentOf(std::map<std::string, std::string> values) {
  return [values](const std::string &name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

inline ChatSettings liveSettings(std::map<std::string, std::string> more = {}) {
  more.emplace("AGENTIC_KERNEL_API_KEY", kLiveKey);
  ChatSettings settings;
  settings.environment = environmentOf(std::move(more));
  return settings;
}

inline ChatRequest shortRequest() {
  return {.messages = {{.role = ChatRole::User, .text = "go"}}, .maxOutputTokens = 10};
}

/// Makes one call to `name`.
inline ChatResult<ChatReply> callOnce(const std::string &name, const ChatSettings &settings,
                                      const std::atomic<bool> *cancelled = nullptr,
                                      const ChatRequest &request = shortRequest()) {
  auto model = makeChatModel(name, settings);
  if (!model)
    return std::unexpected(model.error());
  return (*model)->complete(request, cancelled, {});
}

inline std::string kindText(const ChatResult<ChatReply> &reply) {
  return reply ? "reply" : chatErrorKindName(reply.error().kind);
}

inline constexpr const char *kToken = "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n";
inline constexpr const char *kStop =
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

} // namespace agentic
