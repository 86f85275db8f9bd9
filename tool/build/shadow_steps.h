// The child processes of a shadow tree: configure, build, list the tests. Used by shadow.cpp only.
#pragma once

#include "tool/build/named_tests.h"
#include "tool/build/shadow.h"

#include <string>
#include <vector>

namespace agentic {

/// The paths of one shadow tree, all below shadowFolder().
struct ShadowPaths {
  std::string folder;              ///< <build>/_agentic/shadow/<kernel>
  std::string tree;                ///< <folder>/hook
  std::string variants;            ///< <folder>/hook-variants: VARIANT_DIR of the tree
  std::string initScript;          ///< <folder>/hook-cache.cmake, given to `cmake -C`
  std::string configured;          ///< copy of initScript at the last configure that succeeded
  std::string facts;               ///< <folder>/hook-programs.json, cache of program hashes
  std::string tests;               ///< <folder>/hook-tests.json, cache of ctest's list
  std::string named;               ///< <folder>/hook-named, what is known of the tests that TESTS names
  std::string log;                 ///< <folder>/hook.log, output of the last failing command
  bool takesCompilerFacts = false; ///< the user's configure has found out what a configure needs (compiler_facts.h)
};
ShadowPaths shadowPaths(const Manifest &manifest, ShadowKind kind);

/// Returns the ninja of the user's tree, else of PATH.
Result<std::string> findNinja(const Manifest &manifest);

/// Returns the whole initial cache of the tree: the user's settings and the additions of this kind.
std::string shadowInitScript(const std::string &cmakeCache, const ShadowRequest &request, const ShadowPaths &paths,
                             const std::string &ninja);

/// Configures the tree. `fresh` forgets the tree's earlier cache; objects that stay valid are kept.
Result<void> configureShadow(const ShadowRequest &request, const ShadowPaths &paths, bool fresh);

/// Returns the tests of the manifest that are no targets; empty, at no cost, if there are none. Else two short
/// processes.
Result<NamedTests> findNamedTests(const ShadowRequest &request, const ShadowPaths &paths, const Manifest &shadow,
                                  const std::string &ninja);

/// Returns the files of all tests and benchmarks.
std::vector<std::string> programFiles(const Manifest &shadow, const NamedTests &named);

Result<void> buildShadow(const ShadowRequest &request, const ShadowPaths &paths, const Manifest &shadow,
                         const NamedTests &named, const std::string &ninja);

/// Returns ctest's JSON list, cached until the tree is configured again or a program changes.
Result<std::string> listTests(const ShadowRequest &request, const ShadowPaths &paths, const Manifest &shadow,
                              const NamedTests &named);

/// Returns the kernel's manifest in a build tree of the tool's own at `tree`, configured with the user's generator
/// settings from `script`, if it changed since. Cost: a configure.
Result<Manifest> configureTree(const Manifest &manifest, const std::string &tree, const std::string &script,
                               const std::atomic<bool> *cancelled);

} // namespace agentic
