#include "tool/build/family_tree.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/cmake_cache.h"
#include "tool/build/manifests.h"
#include "tool/build/shadow_steps.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace agentic {
namespace {

constexpr int kNewest = 30, kOldest = 9; // majors that are looked for in PATH; the plain name comes first

std::string cacheName(Family family) {
  return family == Family::Clang ? "AGENTIC_KERNEL_CLANG" : "AGENTIC_KERNEL_GCC";
}

Result<std::string> compilerFor(const Manifest &manifest, Family family) {
  const std::string &given = family == Family::Clang ? manifest.clang : manifest.gcc;
  const std::string program = family == Family::Clang ? "clang++" : "g++";
  std::vector<std::string> names = {given.empty() ? program : given};
  for (int major = kNewest; given.empty() && major >= kOldest; --major)
    names.push_back(fmt::format("{}-{}", program, major));
  const std::string next =
      fmt::format("install it, configure with -D{}=<path>, or take it out of FAMILIES", cacheName(family));
  const auto problem = [&](const std::string &what) {
    return userError(fmt::format("kernel '{}' cannot be tuned for {}: {}", manifest.kernel, familyName(family), what),
                     next);
  };
  for (const std::string &name : names) {
    const auto found = findProgram(name);
    if (!found)
      continue;
    const auto compiler = TRY(identifyCompiler(*found, manifest.buildDir + "/_agentic/cache"));
    if (compiler.family != family)
      return problem(*found + " is " + familyName(compiler.family));
    return *found;
  }
  return problem(given.empty() ? "no " + program + " is in PATH"
                               : cacheName(family) + " is '" + given + "', which is no program");
}

/// "g++-12" → "gcc-12", "clang++" → "clang", where there is such a program.
std::string cCompilerOf(const std::string &path) {
  const fs::path file(path);
  const std::string c =
      (file.parent_path() / replaceAll(replaceAll(file.filename().string(), "clang++", "clang"), "g++", "gcc"))
          .string();
  std::error_code error;
  return c != path && fs::exists(c, error) ? c : std::string();
}

/// The user's settings, and another compiler. What CMake found beside the first one would not fit.
std::string initScript(const std::string &cache, const Manifest &manifest, const std::string &compiler) {
  std::string script = shadowCacheScript(cache, manifest);
  for (const char *tool : {"AR", "RANLIB"})
    for (const char *prefix : {"CMAKE_", "CMAKE_C_COMPILER_", "CMAKE_CXX_COMPILER_"})
      script += fmt::format("unset({}{} CACHE)\n", prefix, tool);
  script += cacheLine("CMAKE_CXX_COMPILER", compiler, "FILEPATH");
  if (const std::string c = cCompilerOf(compiler); !c.empty())
    script += cacheLine("CMAKE_C_COMPILER", c, "FILEPATH");
  script += cacheLine("AGENTIC_KERNEL_TOOL", "OFF", "FILEPATH"); // it is our own tree
  return script + cacheLine("AGENTIC_KERNEL_CONFIGURE_CHECK", "OFF", "STRING");
}

Result<Manifest> configured(const Manifest &manifest, Family family, const std::string &compiler,
                            const std::atomic<bool> *cancelled) {
  const auto cache = TRY(readFile(manifest.buildDir + "/CMakeCache.txt"));
  const std::string tree = manifest.buildDir + "/_agentic/families/" + familyName(family);
  auto other = configureTree(manifest, tree, initScript(cache, manifest, compiler), cancelled);
  if (!other)
    return std::unexpected(Error{other.error().kind,
                                 fmt::format("kernel '{}' cannot be tuned for {}: {}", manifest.kernel,
                                             familyName(family), other.error().message),
                                 "make the project configure with " + compiler + ", or take " + familyName(family) +
                                     " out of FAMILIES; the whole output is in " + tree + ".log"});
  return other;
}

} // namespace

Result<std::vector<Family>> chosenFamilies(const Manifest &manifest, const std::string &wanted) {
  if (!wanted.empty())
    return std::vector{familyNamed(wanted)};
  const auto own = TRY(compilerOf(manifest));
  std::vector<Family> families;
  for (const std::string &name : manifest.families)
    families.push_back(familyNamed(name));
  if (families.empty())
    families.push_back(own.family);
  std::ranges::partition(families, [&](Family family) { return family == own.family; }); // of two at most
  return families;
}

Result<Manifest> manifestForFamily(const Manifest &manifest, Family family, const std::atomic<bool> *cancelled) {
  const auto own = TRY(compilerOf(manifest));
  if (own.family == family)
    return manifest;
  const auto compiler = TRY(compilerFor(manifest, family));
  auto other = TRY(configured(manifest, family, compiler, cancelled));
  const auto used = TRY(compilerOf(other));
  if (used.family != family)
    return userError(fmt::format("kernel '{}' cannot be tuned for {}: the project chooses its compiler itself ({})",
                                 manifest.kernel, familyName(family), used.path),
                     "configure a build tree with " + compiler + " and build its target optimize-" + manifest.kernel);
  return other;
}

} // namespace agentic
