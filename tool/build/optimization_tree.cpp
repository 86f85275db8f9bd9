#include "tool/build/optimization_tree.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/cmake_cache.h"
#include "tool/build/manifests.h"
#include "tool/build/shadow.h"
#include "tool/build/shadow_steps.h"

#include <algorithm>
#include <cctype>

namespace agentic {
namespace {

/// -O, -O3, -Os, -Ofast; not -objc….
bool isOptimization(const std::string &argument) {
  return argument.starts_with("-O");
}

bool holdsFlags(const std::string &key) {
  return key.starts_with("CMAKE_") && key.find("_FLAGS") != std::string::npos &&
         key.find("_LINKER_") == std::string::npos;
}

std::string upperCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// The last one wins; empty: the command has none.
std::string optimizationOf(const CompileCommand &command) {
  std::string last;
  for (const std::string &argument : command.arguments)
    if (isOptimization(argument))
      last = argument;
  return last;
}

} // namespace

std::string withOptimization(const std::string &flags, const std::string &level) {
  std::vector<std::string> words = split(flags, ' ');
  std::erase(words, "");
  for (std::string &word : words)
    if (isOptimization(word))
      word = word == "-Ofast" ? level + " -ffast-math" : level;
  return join(words, " ");
}

std::string optimizationLines(const std::string &cmakeCache, const std::string &level, const std::string &config) {
  const std::vector<CacheEntry> cache = parseCMakeCache(cmakeCache);
  const std::string type = upperCase(config.empty() ? cacheValue(cache, "CMAKE_BUILD_TYPE") : config);
  std::string out;
  std::vector<std::string> decisive;
  for (const char *language : {"CMAKE_C_FLAGS", "CMAKE_CXX_FLAGS"})
    decisive.push_back(language + (type.empty() ? "" : "_" + type));
  for (const CacheEntry &entry : cache)
    if (holdsFlags(entry.key) && std::ranges::find(decisive, entry.key) == decisive.end())
      if (const std::string changed = withOptimization(entry.value, level); changed != entry.value)
        out += cacheLine(entry.key, changed, "STRING");
  for (const std::string &key : decisive) {
    std::string flags = withOptimization(cacheValue(cache, key), level);
    if ((" " + flags + " ").find(" " + level + " ") == std::string::npos)
      flags += (flags.empty() ? "" : " ") + level;
    out += cacheLine(key, flags, "STRING");
  }
  return out;
}

Result<Manifest> manifestForOptimization(const Manifest &manifest, const std::string &level,
                                         const std::atomic<bool> *cancelled) {
  const auto cache = TRY(readFile(manifest.buildDir + "/CMakeCache.txt"));
  const std::string option = "-" + level, tree = manifest.buildDir + "/_agentic/optimization/" + level;
  const std::string script = shadowCacheScript(cache, manifest) + optimizationLines(cache, option, manifest.config) +
                             cacheLine("AGENTIC_KERNEL_TOOL", "OFF", "FILEPATH") + // it is our own tree
                             cacheLine("AGENTIC_KERNEL_CONFIGURE_CHECK", "OFF", "STRING");
  auto other = configureTree(manifest, tree, script, cancelled);
  if (!other)
    return std::unexpected(
        Error{other.error().kind, "kernel '" + manifest.kernel + "' at " + option + ": " + other.error().message,
              "make the project configure with that option, or leave --optimization out; the whole output is in " +
                  tree + ".log"});
  const auto command = TRY(sourceCommand(*other, other->buildDir));
  if (const std::string used = optimizationOf(command); used != option)
    return userError("kernel '" + manifest.kernel + "' cannot be built at " + option + ": the project sets " +
                         (used.empty() ? std::string("no -O option") : used) + " for " + manifest.source + " itself",
                     "take the option out of target_compile_options() or set_source_files_properties() and into "
                     "CMAKE_CXX_FLAGS, or leave --optimization out");
  return other;
}

} // namespace agentic
