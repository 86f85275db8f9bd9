#include "tool/build/cmake_cache.h"
#include "tool/build/shadow.h"

#include "tool/base/text.h"

#include <filesystem>
#include <set>

namespace agentic {
namespace {

namespace fs = std::filesystem;

/// Entries that the shadow decides itself, or that would only slow it down (lints on every compile).
bool isOurs(const std::string &key) {
  return isOneOf(key,
                 {"CMAKE_MAKE_PROGRAM", "CMAKE_GENERATOR", "CMAKE_EXPORT_COMPILE_COMMANDS", "CMAKE_CONFIGURATION_TYPES",
                  "CMAKE_DEFAULT_BUILD_TYPE", "CMAKE_CROSS_CONFIGS", "CMAKE_CXX_CLANG_TIDY", "CMAKE_C_CLANG_TIDY",
                  "CMAKE_CXX_CPPCHECK", "CMAKE_C_CPPCHECK", "CMAKE_CXX_CPPLINT", "CMAKE_CXX_INCLUDE_WHAT_YOU_USE",
                  "CMAKE_C_INCLUDE_WHAT_YOU_USE", "CMAKE_LINK_WHAT_YOU_USE", "AGENTIC_KERNEL_SHADOW",
                  "AGENTIC_KERNEL_CONFIGURE_CHECK", "AGENTIC_KERNEL_HOOK"}) ||
         key.starts_with("AGENTIC_KERNEL_MODE_") || key.starts_with("AGENTIC_KERNEL_VARIANT_DIR_");
}

/// Inputs of a configure step that may point into the build tree: package managers put their files there beforehand.
bool isInput(const CacheEntry &entry) {
  return entry.type == "UNINITIALIZED" ||
         entry.help.find("variable specified on the command line") != std::string::npos ||
         isOneOf(entry.key, {"CMAKE_TOOLCHAIN_FILE", "CMAKE_PREFIX_PATH", "CMAKE_MODULE_PATH", "CMAKE_FIND_ROOT_PATH",
                             "CMAKE_SYSROOT", "CMAKE_PROJECT_TOP_LEVEL_INCLUDES", "CMAKE_INSTALL_PREFIX"}) ||
         (entry.key.starts_with("CMAKE_PROJECT_") && entry.key.find("INCLUDE") != std::string::npos) ||
         entry.key.starts_with("VCPKG_");
}

/// Returns whether an element of the list `value` is `folder` or lies below it.
bool pointsInto(const std::string &value, const std::string &folder) {
  for (std::size_t found = value.find(folder); found != std::string::npos; found = value.find(folder, found + 1)) {
    const std::size_t end = found + folder.size();
    const bool begins = found == 0 || isOneOf(value.substr(found - 1, 1), {";", ":", "=", " ", "I", "L", "\""});
    const bool ends = end == value.size() || isOneOf(value.substr(end, 1), {"/", ";", ":", " ", "\""});
    if (begins && ends)
      return true;
  }
  return false;
}

/// Sources that FetchContent has already downloaded are used where they lie. Decided when the script runs: the folder's
/// name is a convention.
std::string fetchContentLines(const std::vector<CacheEntry> &entries, const std::string &buildDir) {
  std::string base = cacheValue(entries, "FETCHCONTENT_BASE_DIR");
  if (base.empty())
    base = buildDir + "/_deps";
  const std::string prefix = "FETCHCONTENT_SOURCE_DIR_";
  std::string out;
  for (const CacheEntry &entry : entries) {
    if (!entry.key.starts_with(prefix) || !entry.value.empty())
      continue;
    const std::string folder = base + "/" + lowered(entry.key.substr(prefix.size())) + "-src";
    out += "if(IS_DIRECTORY " + bracketArgument(folder) + ")\n  " + cacheLine(entry.key, folder, "PATH") + "endif()\n";
  }
  return out;
}

} // namespace

std::string shadowCacheScript(const std::string &cmakeCache, const Manifest &manifest) {
  const std::vector<CacheEntry> entries = parseCMakeCache(cmakeCache);
  const std::string buildDir = fs::path(manifest.buildDir).lexically_normal().string();
  std::string out = "# The settings of " + buildDir + ", for the tool's private copy of it.\n";
  bool usesVcpkg = false;
  for (const CacheEntry &entry : entries) {
    usesVcpkg = usesVcpkg || entry.key.starts_with("VCPKG_");
    if (isOneOf(entry.type, {"INTERNAL", "STATIC"}) || isOurs(entry.key))
      continue;
    if (entry.key == "CMAKE_BUILD_TYPE" && !manifest.config.empty())
      continue;
    if (pointsInto(entry.value, buildDir) && !isInput(entry))
      continue;
    out += cacheLine(entry.key, entry.value, entry.type == "UNINITIALIZED" ? "STRING" : entry.type);
  }
  if (!manifest.config.empty())
    out += cacheLine("CMAKE_BUILD_TYPE", manifest.config, "STRING");
  out += fetchContentLines(entries, buildDir);
  // The packages are installed already; a second install would write into the user's tree.
  if (usesVcpkg)
    out += cacheLine("VCPKG_MANIFEST_INSTALL", "OFF", "BOOL");
  out += cacheLine("CMAKE_EXPORT_COMPILE_COMMANDS", "ON", "BOOL");
  return out;
}

} // namespace agentic
