// The project configured with another optimization level: a build tree of its own below the user's, for experiments.
#pragma once

#include "tool/base/error.h"
#include "tool/model/manifest.h"

#include <atomic>
#include <string>

namespace agentic {

/// Flags with every -O option replaced by `level` ("-O0"): "-O3 -DNDEBUG" → "-O0 -DNDEBUG". Pure.
std::string withOptimization(const std::string &flags, const std::string &level);

/// The entries of the user's cache that differ at `level`, as lines for `cmake -C`: the flags of every language and
/// configuration; the C and C++ flags of this configuration end with it, whatever else there is. Pure.
std::string optimizationLines(const std::string &cmakeCache, const std::string &level, const std::string &config);

/// The kernel's manifest in <build>/_agentic/optimization/<level>, a tree like the user's but with `level` ("O0") in
/// place of its optimization flags: baseline, tests and candidates alike are compiled so. Runs and facts lie below that
/// tree and never mix with the user's. Errors: it does not configure, or the project sets -O options that do not come
/// from the cache (says which). Cost: a configure.
Result<Manifest> manifestForOptimization(const Manifest &manifest, const std::string &level,
                                         const std::atomic<bool> *cancelled);

} // namespace agentic
