// The pages of the checks (ast-checks/<name>.md), in the tool since it was built.
#pragma once

#include <string_view>

namespace agentic {

/// Of "inline_asm.md"; empty if there is none.
std::string_view checkPage(std::string_view file);

} // namespace agentic
