#include "tool/build/shadow.h"

#include "tool/base/files.h"
#include "tool/base/lock_file.h"
#include "tool/build/build_flags.h"
#include "tool/build/ctest_programs.h"
#include "tool/build/manifests.h"
#include "tool/build/program_key.h"
#include "tool/build/sandbox_view.h"
#include "tool/build/shadow_reuse.h"
#include "tool/build/shadow_steps.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace agentic {
namespace {

/// Puts exactly `files` into `folder`. Returns whether anything changed.
Result<bool> syncFiles(const std::string &folder, const std::vector<GeneratedFile> &files) {
  TRY(createDirectories(folder));
  bool changed = false;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool wanted =
        std::any_of(files.begin(), files.end(), [&](const GeneratedFile &file) { return file.name == name; });
    if (!wanted)
      changed = fs::remove(entry.path(), error) || changed;
  }
  for (const GeneratedFile &file : files) {
    const auto wrote = TRY(writeFileIfChanged(fs::path(folder) / file.name, file.text));
    changed = changed || wrote;
  }
  return changed;
}

/// Configures when the settings or the generated files changed, or when the last configure did not finish.
Result<void> bringConfigureUpToDate(const ShadowRequest &request, const ShadowPaths &paths, const std::string &ninja) {
  const auto cache = TRY(readFile(request.manifest.buildDir + "/CMakeCache.txt"));
  const std::string script = shadowInitScript(cache, request, paths, ninja);
  const auto files = TRY(syncFiles(paths.variants, request.files));
  std::error_code error;
  const bool fresh =
      readFile(paths.configured).value_or(std::string()) != script || !fs::exists(paths.tree + "/build.ninja", error);
  if (!fresh && !files)
    return {};
  TRY(writeFileAtomic(paths.initScript, script));
  fs::remove(paths.configured, error); // a configure that is killed must not count as done
  TRY(configureShadow(request, paths, fresh));
  return writeFileAtomic(paths.configured, script);
}

/// Trees whose tests and benchmarks are mostly compiled by the same commands, the likeliest first.
std::vector<ShadowKind> alikeTo(ShadowKind kind) {
  switch (kind) {
  case ShadowKind::Hook:
    return {ShadowKind::Original, ShadowKind::Final};
  case ShadowKind::Original:
    return {ShadowKind::Final, ShadowKind::Hook};
  case ShadowKind::Final:
    return {ShadowKind::Original, ShadowKind::Hook};
  case ShadowKind::Sanitized:
    return {}; // its flags all differ
  }
  return {};
}

Result<void> reuseFromAlike(const ShadowRequest &request, const ShadowPaths &paths) {
  for (const ShadowKind kind : alikeTo(request.kind)) {
    const std::string other = shadowPaths(request.manifest, kind).tree;
    std::error_code error;
    if (fs::exists(other + "/.ninja_log", error))
      return reuseBuilt(other, paths.tree);
  }
  return {};
}

Result<void> refuseUnsuitable(const ShadowRequest &request, const CompileCommand &command) {
  const bool isMeasured = !request.allowUnoptimized && request.kind != ShadowKind::Sanitized;
  const std::string reason = !isMeasured ? "" : unsuitableFlags(command, request.manifest.config);
  if (reason.empty())
    return {};
  return userError(
      "'" + request.manifest.buildDir + "': " + request.manifest.source + " is " + reason +
          ", so timings would mean nothing",
      "configure a build tree with -DCMAKE_BUILD_TYPE=Release and use that one, or pass --allow-unoptimized");
}

/// Whether every program sees the file: the system's.
bool isShownAnyway(const std::string &file) {
  for (const auto &paths : {systemPaths(), systemLinks()})
    if (std::ranges::any_of(paths, [&](const std::string &path) { return liesIn(file, path); }))
      return true;
  return false;
}

std::vector<std::string> visibleFolders(const ShadowRequest &request, const ShadowTree &tree,
                                        const std::vector<std::string> &libraryFolders) {
  std::set<std::string> out(libraryFolders.begin(), libraryFolders.end());
  out.insert({request.manifest.sourceDir, request.manifest.buildDir, tree.directory});
  out.insert(request.manifest.testData.begin(), request.manifest.testData.end());
  for (const auto *list : {&tree.tests, &tree.benchmarks, &tree.applications})
    for (const TestProgram &program : *list) {
      out.insert({program.workingDirectory, fs::path(program.file).parent_path().string()});
      for (const std::string &script : program.scripts()) // not its folder, which may be a home
        if (!isShownAnyway(script))
          out.insert(script);
    }
  return {out.begin(), out.end()};
}

void addArguments(std::vector<TestProgram> &programs, const std::vector<std::string> &arguments) {
  for (TestProgram &program : programs)
    program.arguments.insert(program.arguments.end(), arguments.begin(), arguments.end());
}

Result<void> describePrograms(const ShadowRequest &request, const ShadowPaths &paths, const NamedTests &named,
                              ShadowTree &tree) {
  auto identity = TRY(identifyPrograms(programFiles(tree.manifest, named), paths.tree, paths.facts));
  const auto list = TRY(listTests(request, paths, tree.manifest, named));
  auto tests = TRY(testPrograms(list, tree.manifest.tests, named));
  auto benchmarks = TRY(testPrograms(list, tree.manifest.benchmarks, named, "BENCHMARKS"));
  tree.key = std::move(identity.key);
  tree.tests = std::move(tests);
  tree.benchmarks = std::move(benchmarks);
  addArguments(tree.tests, request.manifest.testArgs);
  addArguments(tree.benchmarks, request.manifest.benchmarkArgs);
  if (const std::vector<std::string> &metric = request.manifest.benchmarkMetric; metric.size() == 2)
    for (TestProgram &program : tree.benchmarks)
      program.metric = {.pattern = metric[0], .unit = metric[1]};
  if (const auto application = std::ranges::find(named, kApplication, &NamedTest::name); application != named.end())
    tree.applications.push_back(TRY(applicationProgram(*application, tree.manifest)));
  tree.visible = visibleFolders(request, tree, identity.libraryFolders);
  return {};
}

} // namespace

std::vector<std::string> TestProgram::scripts() const {
  std::vector<std::string> files;
  std::error_code error;
  for (const std::string &word : command)
    if (const std::string path = absoluteIn(workingDirectory, word); path != file && fs::is_regular_file(path, error))
      files.push_back(path);
  return files;
}

std::string TestProgram::described() const {
  return (isApplication ? "application '" : "benchmark program '") + target + "'";
}

std::string shadowFolder(const Manifest &manifest) {
  return manifest.buildDir + "/_agentic/shadow/" + manifest.kernel;
}

Result<void> removeShadow(const Manifest &manifest) {
  std::error_code error;
  fs::remove_all(shadowFolder(manifest), error);
  if (error)
    return userError("cannot remove '" + shadowFolder(manifest) + "': " + error.message(), "remove it by hand");
  return {};
}

Result<ShadowTree> prepareShadow(const ShadowRequest &request) {
  const ShadowPaths paths = shadowPaths(request.manifest, request.kind);
  const auto ninja = TRY(findNinja(request.manifest));
  TRY(createDirectories(paths.folder));
  const LockFile lock = TRY(LockFile::acquire(paths.folder + "/lock", request.timeoutSeconds, request.cancelled));
  std::error_code error;
  const bool isNew = !fs::exists(paths.tree + "/build.ninja", error);
  TRY(bringConfigureUpToDate(request, paths, ninja));
  if (isNew)
    TRY(reuseFromAlike(request, paths));

  ShadowTree tree;
  NamedTests named;
  tree.directory = paths.tree;
  tree.kind = request.kind;
  // The build may configure again (an edited CMakeLists.txt), and then manifest and command are new ones.
  for (const bool built : {false, true}) {
    auto manifest = TRY(loadManifest(paths.tree, request.manifest.kernel, request.manifest.config));
    tree.manifest = std::move(manifest);
    if (request.kind == ShadowKind::Sanitized) { // nothing is measured there
      tree.manifest.benchmarks.clear();
      tree.manifest.endToEnd.clear();
    }
    auto command = TRY(sourceCommand(tree.manifest, paths.tree));
    tree.command = std::move(command);
    TRY(refuseUnsuitable(request, tree.command));
    named = TRY(findNamedTests(request, paths, tree.manifest, ninja));
    if (built)
      break;
    TRY(buildShadow(request, paths, tree.manifest, named, ninja));
  }
  TRY(describePrograms(request, paths, named, tree));
  return tree;
}

} // namespace agentic
