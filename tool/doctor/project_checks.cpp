// Checks the build tree, the module that configured it, and its caches.
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/build/cmake_cache.h"
#include "tool/build/manifests.h"
#include "tool/doctor/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr const char *kConfigureAgain = "configure the project again, in an empty build tree";

std::vector<CacheEntry> cacheOf(const DoctorView &view) {
  return parseCMakeCache(readFile(view.buildDir / "CMakeCache.txt").value_or(""));
}

/// Returns why the folder is not the build tree of a project.
std::optional<Diagnosis> treeTrouble(const DoctorView &view) {
  const std::string tree = "'" + view.buildDir.string() + "'", unseen = "its project cannot be looked at";
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (here.empty())
    return Diagnosis{Health::Fail, "the folder that this was started in is not there any more: " + error.message(),
                     "no compiler and no CMake runs", "cd to a folder that is there"};
  const fs::file_type type = fs::status(view.buildDir / "CMakeCache.txt", error).type();
  if (type == fs::file_type::none)
    return Diagnosis{Health::Fail, tree + " cannot be looked into: " + error.message(), unseen,
                     "get the right to read it (see its owner with: ls -ld " + shellQuoted(view.buildDir.string()) +
                         "), or give another folder with --build-dir"};
  if (type == fs::file_type::not_found && view.buildDir == ".")
    return Diagnosis{Health::Ok, "no build tree was given, and this folder is none", {}, {}};
  if (type == fs::file_type::not_found)
    return Diagnosis{Health::Fail, tree + " is no CMake build tree", unseen,
                     "configure the project there, or give another folder with --build-dir"};
  if (const auto text = readFile(view.buildDir / "CMakeCache.txt"); !text)
    return Diagnosis{Health::Fail, text.error().message, unseen,
                     "get the right to read it, or " + std::string(kConfigureAgain)};
  const std::vector<CacheEntry> cache = cacheOf(view);
  const std::string source = cacheValue(cache, "CMAKE_HOME_DIRECTORY"),
                    configuredIn = cacheValue(cache, "CMAKE_CACHEFILE_DIR");
  if (source.empty())
    return Diagnosis{Health::Fail, "the CMakeCache.txt of " + tree + " is damaged: it names no project",
                     "nothing in this tree can be built", kConfigureAgain};
  if (!fs::exists(source, error))
    return Diagnosis{Health::Fail, tree + " belongs to a project in '" + source + "', which is not there any more",
                     "nothing in this tree can be built", kConfigureAgain};
  if (!configuredIn.empty() && !fs::equivalent(configuredIn, view.buildDir, error))
    return Diagnosis{Health::Fail, tree + " was configured as '" + configuredIn + "', then moved or copied",
                     "CMake refuses to build it", kConfigureAgain};
  for (fs::directory_iterator file(view.buildDir / "_agentic" / "manifests", error), end; !error && file != end;)
    file.increment(error);
  if (error && error != std::errc::no_such_file_or_directory)
    return Diagnosis{Health::Fail, (view.buildDir / "_agentic/manifests").string() + ": " + error.message(),
                     "its kernels cannot be looked at", "get the right to read it, or " + std::string(kConfigureAgain)};
  return std::nullopt;
}

/// Returns the version that `init` stamped into a copy of the module below the project; empty if there is none.
std::string vendoredVersion(const fs::path &source) {
  constexpr int kDeepest = 3;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(source, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::end(entry); entry.increment(error)) {
    if (entry->is_directory(error) && (entry.depth() >= kDeepest || entry->path().filename().string().starts_with('.')))
      entry.disable_recursion_pending();
    if (entry->path().filename() != "agentic-kernel.version")
      continue;
    const std::string line = split(readFile(entry->path()).value_or(""), '\n').front();
    return line.starts_with("agentic-kernel ") ? std::string(trim(line.substr(15))) : "unknown";
  }
  return {};
}

/// Returns the version of the installed package that find_package() found; empty if it was none.
std::string packageVersion(const std::string &folder) {
  const std::string text = readFile(fs::path(folder) / "AgenticKernelConfigVersion.cmake").value_or("");
  const std::string key = "set(PACKAGE_VERSION \"";
  const std::size_t begin = text.find(key);
  return begin == std::string::npos
             ? std::string()
             : text.substr(begin + key.size(), text.find('"', begin + key.size()) - begin - key.size());
}

} // namespace

Diagnosis lookAtTree(const DoctorView &view) {
  if (auto trouble = treeTrouble(view))
    return std::move(*trouble);
  const auto manifests = loadManifests(view.buildDir.string());
  if (!manifests)
    return {Health::Warn, manifests.error().message, "there is nothing to optimize in this tree",
            manifests.error().next};
  std::error_code error;
  for (const Manifest &manifest : *manifests)
    if (fs::path(manifest.compiler).is_absolute() && !fs::exists(manifest.compiler, error))
      return {Health::Fail, "configured with " + manifest.compiler + ", which is not there any more",
              "nothing in this tree can be compiled", "configure again in an empty build tree"};
  std::vector<std::string> names, stale;
  for (const Manifest &manifest : *manifests) {
    names.push_back(manifest.kernel);
    if (manifest.state.starts_with("stale"))
      stale.push_back(manifest.kernel + " (" + manifest.state + ")");
  }
  if (!stale.empty())
    return {Health::Warn, join(stale, ", "), "the build compiles the functions as written instead of their variants",
            "agentic-kernel relock after an edit of comments, else agentic-kernel optimize"};
  return {Health::Ok,
          fmt::format("{} kernel{}: {}", names.size(), names.size() == 1 ? "" : "s", join(names, ", ")),
          {},
          {}};
}

Diagnosis lookAtPermissions(const DoctorView &view) {
  const std::vector<std::string> lines = view.permissions ? view.permissions() : std::vector<std::string>();
  return {Health::Ok,
          lines.empty() ? "none: no kernel does with addresses what a candidate may not"
                        : "candidates may do with addresses what their kernel does: " + join(lines, "; "),
          {},
          {}};
}

Diagnosis lookAtCoverage(const DoctorView &view) {
  const std::vector<std::string> lines = view.uncovered ? view.uncovered() : std::vector<std::string>();
  if (lines.empty())
    return {Health::Ok, "no run found code of a kernel that nothing runs", {}, {}};
  return {Health::Warn, join(lines, "; "), "a search may end with a winner that is refused",
          "add such tests; the next run of optimize looks again"};
}

Diagnosis lookAtCallers(const DoctorView &view) {
  const std::vector<std::string> lines = view.callers ? view.callers() : std::vector<std::string>();
  return {Health::Ok,
          lines.empty() ? "not known yet: the first evaluate or optimize sees which threads call the kernels"
                        : join(lines, "; ") + "; variants keep no state and may run side by side",
          {},
          {}};
}

Diagnosis lookAtVersions(const DoctorView &view) {
  const std::string own = std::string("tool ") + kVersion;
  const std::vector<CacheEntry> cache = cacheOf(view);
  const std::string package = packageVersion(cacheValue(cache, "AgenticKernel_DIR")),
                    vendored = vendoredVersion(cacheValue(cache, "CMAKE_HOME_DIRECTORY"));
  for (const auto &[what, version] : {std::pair(std::string("the project's copy of the module"), vendored),
                                      {std::string("the installed module"), package}})
    if (!version.empty() && version != kVersion)
      return {Health::Warn, own + ", " + what + " " + version,
              "what one writes the other may not read, and the tree may say less than this tool knows",
              what.starts_with("the project") ? "agentic-kernel init in the project's folder, then configure again"
                                              : "install tool and module of one version, then configure again"};
  const std::string tool = cacheValue(cache, "AGENTIC_KERNEL_TOOL");
  if (!tool.empty() && fs::path(tool).is_absolute()) {
    std::error_code error;
    if (!fs::equivalent(tool, view.toolProgram, error))
      return {Health::Warn, own + "; the tree's targets call " + tool,
              "the target 'optimize' runs another tool than this one",
              "configure again with -DAGENTIC_KERNEL_TOOL=" + shellQuoted(view.toolProgram)};
  }
  const std::string module = !vendored.empty()  ? ", the project's copy of the module " + vendored
                             : !package.empty() ? ", module " + package
                                                : "";
  return {Health::Ok, own + module, {}, {}};
}

Diagnosis lookAtNoise(const DoctorView &view) {
  if (!view.calibration.empty())
    return {Health::Ok, view.calibration, {}, {}};
  return {Health::Warn, view.calibrationNote.empty() ? "never measured" : view.calibrationNote,
          "gains of 2 % count, which a noisy machine may not tell from none", "agentic-kernel calibrate"};
}

} // namespace agentic
