// Which hosts may run the programs of a kernel.
#pragma once

#include "tool/farm/host.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns why a host cannot run programs that may use these CPU features; empty if it can.
std::string refusalOf(const HostFacts &facts, const std::vector<std::string> &features);

} // namespace agentic
