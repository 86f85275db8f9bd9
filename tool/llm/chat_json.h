// Converts requests, replies and errors to JSON: for records of a conversation (the log of calls, recordings), and for
// programs that answer in place of a model.
#pragma once

#include "tool/llm/chat.h"

#include "tool/base/error.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace agentic {

/// "system", "user", "assistant", "tool".
const char *roleName(ChatRole role);
/// "stop", "tool_calls", "length", "refused".
const char *finishName(ChatFinish finish);

/// {"messages": [{"role", "content", "tool_calls"?: [{"id", "name", "arguments"}], "tool_call_id"?, "tool_name"?}],
///  "tools"?: [{"name", "description", "parameters": schema}], "max_output_tokens", "temperature"?, "seed"?, "effort"?}
/// Without the messages' raw forms.
nlohmann::json requestJson(const ChatRequest &request);

/// Converts everything of a reply, the raw form of its message included. Invalid UTF-8 is replaced when it is dumped.
nlohmann::json replyJson(const ChatReply &reply);
/// Inverse of replyJson(). Errors: the value is no such object; names `what`.
Result<ChatReply> replyFrom(const nlohmann::json &value, std::string_view what);

nlohmann::json errorJson(const ChatError &error);
/// Inverse for errors; an unknown kind becomes Bug.
ChatError errorFrom(const nlohmann::json &value);

nlohmann::json usageJson(const ChatUsage &usage);
/// Reads usage. Missing and negative numbers are 0; `isReported` if any number is there.
ChatUsage usageFrom(const nlohmann::json &value);

/// Writes one line, without its end.
std::string dumpLine(const nlohmann::json &value);

} // namespace agentic
