// The build tree, the module that configured it, and what is kept for it.
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

constexpr double kGiga = 1e9;

bool isTree(const DoctorView &view) {
  std::error_code ignored;
  return fs::exists(view.buildDir / "CMakeCache.txt", ignored);
}

std::vector<CacheEntry> cacheOf(const DoctorView &view) {
  return parseCMakeCache(readFile(view.buildDir / "CMakeCache.txt").value_or(""));
}

/// The version that `init` stamped into a copy of the module below the project; empty if there is none.
std::string vendoredVersion(const fs::path &source) {
  constexpr int kDeepest = 3;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(source, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (entry->is_directory(error) && (entry.depth() >= kDeepest || entry->path().filename().string().starts_with('.')))
      entry.disable_recursion_pending();
    if (entry->path().filename() != "agentic-kernel.version")
      continue;
    const std::string line = split(readFile(entry->path()).value_or(""), '\n').front();
    return line.starts_with("agentic-kernel ") ? std::string(trim(line.substr(15))) : "unknown";
  }
  return {};
}

/// Of the installed package that find_package() found; empty if it was none.
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
  if (!isTree(view) && view.buildDir == ".")
    return {Health::Ok, "no build tree was given, and this folder is none", {}, {}};
  if (!isTree(view))
    return {Health::Fail, "'" + view.buildDir.string() + "' is no CMake build tree", "its project cannot be looked at",
            "configure the project there, or give another folder with --build-dir"};
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

Diagnosis lookAtVersions(const DoctorView &view) {
  const std::string own = std::string("tool ") + kVersion;
  if (!isTree(view))
    return {Health::Ok, own, {}, {}};
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

Diagnosis lookAtDisk(const DoctorView &view) {
  constexpr double kEnough = 2 * kGiga, kLeast = 0.3 * kGiga;
  std::vector<std::string> found;
  double least = kEnough;
  std::error_code error;
  for (const fs::path &wanted : {view.buildDir, fs::temp_directory_path(error), view.cacheDir}) {
    fs::path folder = fs::absolute(wanted, error).lexically_normal();
    while (!fs::exists(folder, error) && folder.has_relative_path())
      folder = folder.parent_path(); // a folder that is not there yet is made on its parent's disk
    const fs::space_info space = fs::space(folder, error);
    if (error)
      continue;
    least = std::min(least, double(space.available));
    found.push_back(fmt::format("{:.1f} GB free for {}", double(space.available) / kGiga,
                                (folder.has_filename() ? folder : folder.parent_path()).string()));
  }
  if (least >= kEnough)
    return {Health::Ok, join(found, ", "), {}, {}};
  return {least < kLeast ? Health::Fail : Health::Warn, join(found, ", "),
          "trees for candidates, recorded calls and journals take hundreds of megabytes",
          "free some; 'agentic-kernel runs --help' says how to prune old runs"};
}

} // namespace agentic
