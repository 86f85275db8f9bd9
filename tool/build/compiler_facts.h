// What CMake found out about the user's compilers, for build trees of the tool's own that have the same ones: detecting
// them again costs one to two seconds of each configure from nothing.
#pragma once

#include <string>

namespace agentic {

/// Copies CMake's results from the build tree `from` into `to`, which has no cache yet and is to be configured by Ninja
/// with the same compilers. What is not there or cannot be copied, CMake detects.
void copyCompilerFacts(const std::string &from, const std::string &to);

/// Removes such results from `tree`; objects beside them stay.
void forgetCompilerFacts(const std::string &tree);

} // namespace agentic
