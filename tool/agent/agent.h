// Makes the agents that propose candidates (the interface is model/agent.h).
#pragma once

#include "tool/base/error.h"
#include "tool/model/agent.h"
#include "tool/model/kernel_spec.h"

#include <memory>
#include <string>

namespace agentic {

/// `name` as the user gives it: "builtin" (others come later). The error lists the names there are.
Result<std::unique_ptr<Agent>> makeAgent(const std::string &name, const KernelSpec &spec);

} // namespace agentic
