// Which macros outside the unit say what.
#pragma once

#include <string_view>

namespace agentic::checks {

/// What the level's instructions and the processor are; the same in evaluation and in the shipped build.
bool isFeatureMacro(std::string_view name);

/// Sizes, limits and types of the target: constants that any build with these flags has.
bool isTargetConstant(std::string_view name);

/// Of a library or of a project's command line: whether it is a debug build, hardened, checked.
bool isBuildModeMacro(std::string_view name);

/// They make code depend on where it stands, when it is built, or on files beside it.
bool isPlaceMacro(std::string_view name);

} // namespace agentic::checks
