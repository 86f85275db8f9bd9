// What CMake found out about the user's compilers, for build trees of the tool's own that have the same ones: detecting
// them again costs one to two seconds of each configure from nothing.
#pragma once

#include "tool/build/cmake_cache.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Copies CMake's results from the build tree `from` into `to`, which has no cache yet and is to be configured by Ninja
/// with the same compilers and the entries of compilerFactEntries(). CMake detects the rest, or all of it where another
/// version of it runs.
void copyCompilerFacts(const std::string &from, const std::string &to);

/// Returns the internal cache entries that belong to them: which version of CMake made them, without which it does not
/// look at copies, and what it found out but keeps in the cache alone.
std::vector<CacheEntry> compilerFactEntries(std::string_view cmakeCache);

/// Removes such results from `tree`; objects beside them stay.
void forgetCompilerFacts(const std::string &tree);

} // namespace agentic
