// Makes the agents that propose candidates (the interface is model/agent.h).
#pragma once

#include "tool/agent/llm_agent.h"
#include "tool/base/error.h"
#include "tool/model/agent.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Returns whether `name` (as the user gives it: "builtin", "command:./agent.sh") is an agent that asks a model.
bool asksModel(const std::string &name);

/// Splits "a,b,c" into agents' names. A comma within a command or a file's name separates only if an agent's name
/// follows.
std::vector<std::string> agentNames(const std::string &text);

/// Returns the records' names of the agents: agentLabel(), made distinct: "command:ask.sh", "command:ask.sh (2)".
std::vector<std::string> agentLabels(const std::vector<std::string> &names);

/// Returns a name for records: without a command's arguments and the parts of an address that may be secret.
std::string nameForRecords(const std::string &name);

/// Returns the folder of the records of the n-th of several agents (from 0).
std::string agentDirectory(const std::string &runDirectory, std::size_t n);

struct AgentSettings {
  std::string name;
  std::unique_ptr<ChatModel> model; ///< model of an agent that asks one
  LlmAgentSettings llm;
};

/// Makes an agent. The error lists the existing names.
Result<std::unique_ptr<Agent>> makeAgent(AgentSettings settings);

} // namespace agentic
