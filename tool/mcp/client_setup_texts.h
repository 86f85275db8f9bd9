// Texts of examples/agents, embedded at build time.
#pragma once

#include <string_view>

namespace agentic {

/// Returns the text of a file such as "instructions.md"; empty if there is none.
std::string_view clientSetupText(std::string_view file);

} // namespace agentic
