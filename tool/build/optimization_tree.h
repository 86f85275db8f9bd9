// Configures the project with another optimization level, in a build tree of its own below the user's, for experiments.
#pragma once

#include "tool/base/error.h"
#include "tool/model/manifest.h"

#include <atomic>
#include <string>

namespace agentic {

/// Returns the flags with every -O option replaced by `level` ("-O0"): "-O3 -DNDEBUG" → "-O0 -DNDEBUG". Pure.
std::string withOptimization(const std::string &flags, const std::string &level);

/// Returns the entries of the user's cache that differ at `level`, as lines for `cmake -C`: the flags of every language
/// and configuration; the C and C++ flags of this configuration always end with `level`. Pure.
std::string optimizationLines(const std::string &cmakeCache, const std::string &level, const std::string &config);

/// Returns the kernel's manifest in <build>/_agentic/optimization/<level>, a tree like the user's with `level` ("O0")
/// in place of its optimization flags: baseline, tests and candidates are all compiled with it. Runs and facts lie
/// below that tree and never mix with the user's. Errors: it does not configure, or the project sets -O options that do
/// not come from the cache (named in the error). Cost: a configure.
Result<Manifest> manifestForOptimization(const Manifest &manifest, const std::string &level,
                                         const std::atomic<bool> *cancelled);

} // namespace agentic
