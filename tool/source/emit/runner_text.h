// The texts of tool/runner that generated files include.
#pragma once

#include <string_view>

namespace agentic {

/// Returns the text by the file's name: "glue_abi.h"; empty if it is not embedded (CMakeLists.txt lists the embedded
/// files).
std::string_view runnerText(std::string_view name);

} // namespace agentic
