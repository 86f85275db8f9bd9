// Makes the agents that propose candidates (the interface is model/agent.h).
#pragma once

#include "tool/agent/llm_agent.h"
#include "tool/base/error.h"
#include "tool/model/agent.h"

#include <memory>
#include <string>

namespace agentic {

inline constexpr std::string_view kBuiltinAgent = "builtin";

/// Whether `name` (as the user gives it: "builtin", "command:./agent.sh") is an agent that asks a model.
bool asksModel(const std::string &name);

struct AgentSettings {
  std::string name;
  std::unique_ptr<ChatModel> model; ///< of an agent that asks one
  LlmAgentSettings llm;
};

/// The error lists the names there are.
Result<std::unique_ptr<Agent>> makeAgent(AgentSettings settings);

} // namespace agentic
