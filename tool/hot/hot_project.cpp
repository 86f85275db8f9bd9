#include "tool/hot/hot_project.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/cmake_cache.h"
#include "tool/build/elf.h"
#include "tool/build/manifests.h"
#include "tool/model/json.h"
#include "tool/source/symbols/symbolizer.h"

#include <algorithm>

namespace agentic {
namespace {

std::string canonical(const std::string &path) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(path, ignored);
  return real.empty() ? path : real.string();
}

std::string objectOf(const CompileCommand &command) {
  std::string object = command.output;
  const auto option = std::ranges::find(command.arguments, "-o");
  if (object.empty() && option != command.arguments.end() && option + 1 != command.arguments.end())
    object = *(option + 1);
  return object.empty() ? object : absoluteIn(command.directory, object);
}

} // namespace

bool HotProject::isProjectFile(const std::string &file) const {
  const std::string real = canonical(file);
  // The source tree may be a folder of the build tree: then nothing below it is made by the build.
  const bool isMade = isBelow(real, buildDir) && !isBelow(sourceDir, buildDir);
  return !isMade && (isBelow(real, sourceDir) || folders.contains(fs::path(real).parent_path().string()));
}

bool HotProject::isProjectModule(const std::string &file) const {
  const std::string real = canonical(file);
  return isBelow(real, buildDir) || isBelow(real, sourceDir);
}

std::set<std::string> HotProject::targetsOf(const std::string &file) const {
  std::set<std::string> targets;
  const std::string wanted = canonical(file);
  for (const CompileCommand &command : commands)
    if (canonical(command.file) == wanted)
      if (const std::string target = targetOfObject(objectOf(command)); !target.empty())
        targets.insert(target);
  return targets;
}

const LinkedTarget *HotProject::linkedTarget(const std::string &name) const {
  const auto found = std::ranges::find(linked, name, &LinkedTarget::name);
  return found == linked.end() ? nullptr : &*found;
}

std::string HotProject::targetFor(const std::string &file, const std::string &module) const {
  const std::set<std::string> targets = targetsOf(file);
  if (targets.empty())
    return {};
  const std::string real = canonical(module);
  const auto ofModule =
      std::ranges::find_if(linked, [&](const LinkedTarget &target) { return canonical(target.file) == real; });
  if (ofModule == linked.end())
    return *targets.begin();
  if (targets.contains(ofModule->name))
    return ofModule->name;
  for (const std::string &name : targets)
    if (const LinkedTarget *target = linkedTarget(name); target && ofModule->uses(*target))
      return name;
  return *targets.begin();
}

Result<HotProject> readHotProject(const std::string &buildDir, const std::string &config) {
  HotProject project;
  project.buildDir = canonical(buildDir);
  const Result<std::string> cacheText = readFile(fs::path(project.buildDir) / "CMakeCache.txt");
  if (!cacheText)
    return userError("'" + buildDir + "' is not a CMake build tree: it has no CMakeCache.txt",
                     "give the project's build tree with --build-dir");
  const std::vector<CacheEntry> cache = parseCMakeCache(*cacheText);
  project.sourceDir = canonical(cacheValue(cache, "CMAKE_HOME_DIRECTORY"));
  project.buildType = cacheValue(cache, "CMAKE_BUILD_TYPE");
  project.compiler = cacheValue(cache, "CMAKE_CXX_COMPILER");
  project.compilerC = cacheValue(cache, "CMAKE_C_COMPILER");
  const std::vector<std::string> configs = split(cacheValue(cache, "CMAKE_CONFIGURATION_TYPES"), ';');
  if (config.empty() && configs.size() > 1)
    return userError("'" + buildDir + "' has several configurations: " + join(configs, ", "),
                     "choose one with --config");
  project.config = config;
  if (auto manifests = loadManifests(project.buildDir, config)) // without a kernel this is an error, here it is usual
    project.manifests = std::move(*manifests);
  const std::string package = cacheValue(cache, "AgenticKernel_DIR");
  project.hasPackage = !project.manifests.empty() || (!package.empty() && !package.ends_with("-NOTFOUND"));
  project.linked = linkedTargets(project.buildDir, config);
  if (const auto database = readFile(fs::path(project.buildDir) / "compile_commands.json"))
    project.commands = TRY(parseJson<std::vector<CompileCommand>>(*database, "compile_commands.json"));
  for (const CompileCommand &command : project.commands)
    project.folders.insert(canonical(fs::path(command.file).parent_path().string()));
  return project;
}

std::string ObjectSources::sourceOf(const std::string &linkageName) {
  if (!isRead_)
    read();
  const auto found = sources_.find(linkageName);
  return found == sources_.end() ? std::string() : found->second;
}

void ObjectSources::read() {
  isRead_ = true;
  constexpr unsigned char kFunction = 2; // STT_FUNC
  for (const CompileCommand &command : project_.commands) {
    const Result<ElfFile> object = readElf(objectOf(command));
    if (!object) // link-time optimization leaves other files, and not all targets may be built
      continue;
    for (const ElfSymbol &symbol : object->symbols)
      if ((symbol.type & 0xf) == kFunction && symbol.section != 0 && !symbol.name.empty())
        sources_.emplace(withoutCloneSuffix(symbol.name), command.file);
  }
}

} // namespace agentic
