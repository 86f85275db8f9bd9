// Classifies macros outside the unit by name.
#pragma once

#include <string_view>

namespace agentic::checks {

/// Returns whether it states the level's instructions or the processor; the same in evaluation and in the shipped
/// build.
bool isFeatureMacro(std::string_view name);

/// Returns whether it states a size, limit or type of the target: a constant in any build with these flags.
bool isTargetConstant(std::string_view name);

/// Returns whether a library or a project's command line states with it that a build is for debugging, hardened or
/// checked.
bool isBuildModeMacro(std::string_view name);

/// Returns whether it makes code depend on its place, its build time, or files beside it.
bool isPlaceMacro(std::string_view name);

} // namespace agentic::checks
