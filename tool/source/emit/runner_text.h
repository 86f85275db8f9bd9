// Texts of tool/runner that generated files hold.
#pragma once

#include <string_view>

namespace agentic {

/// By the file's name: "glue_abi.h"; empty if it is not embedded (CMakeLists.txt lists those that are).
std::string_view runnerText(std::string_view name);

} // namespace agentic
