// The patterns' files, embedded by CMake.
#pragma once

#include <string_view>
#include <vector>

namespace agentic {

/// Returns the text of patterns/<name>; empty for an unknown name.
std::string_view patternText(std::string_view name);
/// "lanes-for-a-sum.md", …, sorted.
std::vector<std::string_view> patternFiles();

} // namespace agentic
