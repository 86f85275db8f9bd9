// command:<program and arguments>: a user's program answers in place of a model.
//
// Each call starts the program once. On its standard input it gets one JSON object:
//   {"v": 1,
//    "messages": [{"role": "system" | "user" | "assistant" | "tool", "content": "…",
//                  "tool_calls"?: [{"id", "name", "arguments": "<JSON text>"}], "tool_call_id"?, "tool_name"?}, …],
//    "tools"?: [{"name", "description", "parameters": <JSON schema>}],
//    "max_output_tokens": 16384, "temperature"?: 0.7, "seed"?: 1, "effort"?: "high",
//    "budget_usd": what is left of the budget: a program that spends money must not spend more on this call}
// Its standard output is the reply: plain text as it is, or one JSON object
//   {"text": "…", "tool_calls"?: [{"id"?, "name", "arguments": {…} or "<JSON text>"}],
//    "finish"?: "stop" | "length" | "refused", "model"?: "…",
//    "usage"?: {"input_tokens", "cached_input_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens",
//               "cost_usd"}}
// (input_tokens: without cached ones). Exit status 0; 75 (EX_TEMPFAIL) asks for a later attempt; any other is an error,
// whose reason is the end of its standard error.
//
// It runs in an empty folder of its own, removed afterwards, with the tool's environment; a program or file with a name
// relative to the tool's start folder is found there.
#pragma once

#include "tool/base/error.h"
#include "tool/llm/chat.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr std::string_view kCommandPrefix = "command:";

struct CommandModelOptions {
  std::string name;           ///< "command:./agent.sh --fast", as the user wrote it
  std::string startDirectory; ///< absolute base of relative paths in `name`
  std::string scratchParent;  ///< parent of the program's own folder for each call
  double timeoutSeconds = 1800;
};

/// Splits as a shell does, without expansion. Errors: nothing after the prefix.
Result<std::unique_ptr<ChatModel>> makeCommandModel(CommandModelOptions options);

} // namespace agentic
