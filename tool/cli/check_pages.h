// The pages of the checks (ast-checks/<name>.md), embedded at build time.
#pragma once

#include <string_view>

namespace agentic {

/// Returns the page of a file such as "inline_asm.md"; empty if there is none.
std::string_view checkPage(std::string_view file);

} // namespace agentic
