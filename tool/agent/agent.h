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

/// Whether `name` (as the user gives it: "builtin", "command:./agent.sh") is an agent that asks a model.
bool asksModel(const std::string &name);

/// The agents that "a,b,c" names. A comma within a command or a file's name parts only where an agent's name follows.
std::vector<std::string> agentNames(const std::string &text);

/// What each is called in records: agentLabel(), made distinct: "command:ask.sh", "command:ask.sh (2)".
std::vector<std::string> agentLabels(const std::vector<std::string> &names);

/// A name as records may hold it: without a command's arguments and what may be secret in an address.
std::string nameForRecords(const std::string &name);

/// Where the n-th of several agents (from 0) keeps its records.
std::string agentDirectory(const std::string &runDirectory, std::size_t n);

struct AgentSettings {
  std::string name;
  std::unique_ptr<ChatModel> model; ///< of an agent that asks one
  LlmAgentSettings llm;
};

/// The error lists the names there are.
Result<std::unique_ptr<Agent>> makeAgent(AgentSettings settings);

} // namespace agentic
