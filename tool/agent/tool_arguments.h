// Reads the arguments of a call of evaluate_kernel, with the repairs that models' calls need.
#pragma once

#include "tool/llm/chat.h"

#include <cstddef>
#include <string>

namespace agentic {

struct ToolArguments {
  std::string name, source;
  std::string error; ///< for the model; empty: name and source are good
};

ToolArguments readToolArguments(const ToolCall &call, std::size_t mostBytes);

} // namespace agentic
