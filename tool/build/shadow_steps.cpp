#include "tool/build/shadow_steps.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/cmake_cache.h"
#include "tool/build/compiler_facts.h"
#include "tool/build/manifests.h"

#include <algorithm>
#include <filesystem>

namespace agentic {
namespace {

constexpr std::size_t kShownBytes = 3000;

std::string kindName(ShadowKind kind) {
  switch (kind) {
  case ShadowKind::Hook:
    return "hook";
  case ShadowKind::Original:
    return "original";
  case ShadowKind::Final:
    return "final";
  case ShadowKind::Sanitized:
    return "sanitized";
  }
  return {};
}

/// Instrumented code that is optimised for speed compiles ten times as long and finds no more.
std::string optimisedALittle(const std::string &flags) {
  std::vector<std::string> words = split(flags, ' ');
  for (std::string &word : words)
    if (word == "-Ofast")
      word = "-O1 -ffast-math";
    else if (word == "-O2" || word == "-O3")
      word = "-O1";
  return join(words, " ");
}

/// The user's flags with the sanitizers'. What undefined behaviour the project itself has is reported and passed over;
/// warnings that only instrumented code gets must not end a build with -Werror.
std::string sanitizerLines(const std::string &cmakeCache, const Manifest &manifest) {
  const std::string link = "-fsanitize=address,undefined";
  const std::string compile = " " + link +
                              ",float-cast-overflow -fsanitize-recover=undefined,float-cast-overflow "
                              "-fno-omit-frame-pointer -w";
  const std::vector<CacheEntry> cache = parseCMakeCache(cmakeCache);
  std::string out;
  for (const std::string language : {"CMAKE_C_FLAGS", "CMAKE_CXX_FLAGS"}) {
    // The compiler of the other language may be of another family; C has no vptr.
    const bool isC = language == "CMAKE_C_FLAGS", isOwn = isC == (manifest.language == "C");
    const bool isClang = isOwn && manifest.compilerId.ends_with("Clang");
    const std::string excluded = isC ? (isClang ? " -fno-sanitize=function" : "")
                                     : (isClang ? " -fno-sanitize=vptr,function" : " -fno-sanitize=vptr");
    out += cacheLine(language, optimisedALittle(cacheValue(cache, language)) + compile + excluded, "STRING");
    for (const CacheEntry &entry : cache)
      if (entry.key.starts_with(language + "_") && optimisedALittle(entry.value) != entry.value)
        out += cacheLine(entry.key, optimisedALittle(entry.value), "STRING");
  }
  for (const char *kind : {"CMAKE_EXE_LINKER_FLAGS", "CMAKE_SHARED_LINKER_FLAGS", "CMAKE_MODULE_LINKER_FLAGS"})
    out += cacheLine(kind, cacheValue(cache, kind) + " " + link, "STRING");
  return out;
}

/// The part of a build's output that says what is wrong: from the first error on, else the end.
std::string heart(const std::string &output) {
  std::size_t begin = std::string::npos;
  for (std::string_view mark : {"CMake Error", "FAILED: ", "ninja: error", "error:"})
    begin = std::min(begin, output.find(mark));
  if (begin == std::string::npos)
    begin = output.size() > kShownBytes ? output.size() - kShownBytes : 0;
  const std::string_view part = std::string_view(output).substr(begin, kShownBytes);
  return std::string(trim(part)) + (begin + kShownBytes < output.size() ? "\n…" : "");
}

struct Step {
  std::string doing;      ///< "configuring the private copy of the build"
  std::string sameInTree; ///< the command that does it in the user's tree
};

Result<std::string> runStep(ProcessSpec spec, const Step &step, const ShadowRequest &request,
                            const ShadowPaths &paths) {
  spec.cancelled = request.cancelled;
  spec.timeoutSeconds = request.timeoutSeconds;
  spec.outputCapBytes = std::size_t{16} << 20;
  auto result = TRY(runProcess(spec));
  if (result.ok())
    return std::move(result.out);
  if (result.end == ProcessResult::End::Cancelled)
    return interruptedError();
  const std::string output = result.out + result.err;
  if (output.find("No space left on device") != std::string::npos)
    return userError(step.doing + " failed: the disk that holds '" + paths.folder + "' is full",
                     "free some space (agentic-kernel keeps everything below '" + request.manifest.buildDir +
                         "/_agentic') and run the command again");
  (void)writeFileAtomic(paths.log, output); // the message below has the relevant part
  return userError(step.doing + " failed: '" + spec.argv[0] + "' " + result.describe() + "\n" + heart(output),
                   "see whether '" + step.sameInTree + "' works; the whole output is in " + paths.log);
}

/// Returns what to build, by the names that ninja knows.
std::vector<std::string> buildTargets(const ShadowPaths &paths, const Manifest &manifest, const NamedTests &named) {
  std::vector<std::string> out;
  for (const auto *list : {&manifest.tests, &manifest.benchmarks})
    for (const ProgramTarget &program : *list)
      if (!program.file.empty())
        out.push_back(program.target);
  for (const NamedTest &test : named)
    for (const std::string &file : test.files)
      out.push_back(fs::path(file).lexically_relative(paths.tree).string());
  return out;
}

/// Changes when the tree was configured again or one of the programs was linked again.
std::string treeStamp(const ShadowPaths &paths, const Manifest &shadow, const NamedTests &named) {
  std::vector<std::string> files = programFiles(shadow, named);
  files.insert(files.begin(), paths.tree + "/build.ninja");
  std::string out;
  for (const std::string &file : files) {
    std::error_code error;
    out += file + " " + std::to_string(fs::last_write_time(file, error).time_since_epoch().count()) + "\n";
  }
  return out;
}

/// The tests of add_test() that TESTS and BENCHMARKS name, without their files.
Result<NamedTests> readNamedTests(const ShadowRequest &request, const ShadowPaths &paths, const Manifest &shadow) {
  std::vector<std::string> names;
  for (const auto *list : {&shadow.tests, &shadow.benchmarks})
    for (const ProgramTarget &program : *list)
      if (program.file.empty())
        names.push_back(program.target);
  if (names.empty())
    return NamedTests();
  const std::string script = paths.named + ".cmake", output = paths.named + ".json";
  TRY(writeFileIfChanged(script, namedTestsScript()));
  ProcessSpec read;
  read.argv = {request.manifest.cmakeCommand.empty() ? "cmake" : request.manifest.cmakeCommand,
               "-DTREE=" + paths.tree,
               "-DCONFIG=" + shadow.config,
               "-DNAMES=" + join(names, ";"),
               "-DOUTPUT=" + output,
               "-P",
               script};
  const Step step{"reading the tests of the private copy of '" + request.manifest.buildDir + "'",
                  "ctest --test-dir " + request.manifest.buildDir + " -N"};
  TRY(runStep(std::move(read), step, request, paths));
  const std::string lines = TRY(readFile(output));
  NamedTests tests = TRY(parseNamedTests(lines));
  for (const std::string &name : names)
    if (std::ranges::find(tests, name, &NamedTest::name) == tests.end())
      return userError("TESTS or BENCHMARKS of kernel '" + shadow.kernel + "' names the test '" + name +
                           "', which ctest does not have",
                       "call enable_testing() in the top CMakeLists.txt, before the folders that have tests");
  return tests;
}

} // namespace

ShadowPaths shadowPaths(const Manifest &manifest, ShadowKind kind) {
  ShadowPaths paths;
  paths.folder = shadowFolder(manifest);
  paths.tree = paths.folder + "/" + kindName(kind);
  paths.variants = paths.tree + "-variants";
  paths.initScript = paths.tree + "-cache.cmake";
  paths.configured = paths.tree + "-configured.cmake";
  paths.facts = paths.tree + "-programs.json";
  paths.tests = paths.tree + "-tests.json";
  paths.named = paths.tree + "-named";
  paths.log = paths.tree + ".log";
  paths.takesCompilerFacts = manifest.generator.starts_with("Ninja"); // others ask compilers for more, or for less
  return paths;
}

Result<std::string> findNinja(const Manifest &manifest) {
  std::error_code error;
  if (manifest.generator.starts_with("Ninja") && !manifest.makeProgram.empty() &&
      fs::exists(manifest.makeProgram, error))
    return manifest.makeProgram;
  for (const char *name : {"ninja", "ninja-build"})
    if (const auto found = findProgram(name))
      return *found;
  return userError("ninja is not in PATH: the private copy of the build cannot be built",
                   "install the package 'ninja-build'");
}

std::string shadowInitScript(const std::string &cmakeCache, const ShadowRequest &request, const ShadowPaths &paths,
                             const std::string &ninja) {
  const std::string &kernel = request.manifest.kernel;
  std::string out = shadowCacheScript(cmakeCache, request.manifest);
  if (paths.takesCompilerFacts)
    for (const CacheEntry &entry : compilerFactEntries(cmakeCache))
      out += cacheLine(entry.key, entry.value, entry.type);
  out += cacheLine("CMAKE_MAKE_PROGRAM", ninja, "FILEPATH");
  out += cacheLine("AGENTIC_KERNEL_SHADOW", "ON", "BOOL");
  out += cacheLine("AGENTIC_KERNEL_CONFIGURE_CHECK", "OFF", "STRING");
  out += cacheLine("AGENTIC_KERNEL_VARIANT_DIR_" + kernel, paths.variants, "PATH");
  out +=
      cacheLine("AGENTIC_KERNEL_MODE_" + kernel, request.kind == ShadowKind::Original ? "BASELINE" : "AUTO", "STRING");
  if (request.kind == ShadowKind::Hook)
    out += cacheLine("AGENTIC_KERNEL_HOOK", kernel, "STRING");
  if (request.kind == ShadowKind::Sanitized)
    out += sanitizerLines(cmakeCache, request.manifest);
  return out;
}

Result<void> configureShadow(const ShadowRequest &request, const ShadowPaths &paths, bool fresh) {
  const Manifest &manifest = request.manifest;
  ProcessSpec spec;
  spec.argv = {manifest.cmakeCommand.empty() ? "cmake" : manifest.cmakeCommand,
               "-S",
               manifest.sourceDir,
               "-B",
               paths.tree,
               "-G",
               "Ninja",
               "-Wno-dev"};
  const auto forget = [&] {
    std::error_code error;
    fs::remove(paths.tree + "/CMakeCache.txt", error);
    forgetCompilerFacts(paths.tree);
  };
  if (fresh) {
    forget();
    if (paths.takesCompilerFacts)
      copyCompilerFacts(manifest.buildDir, paths.tree);
    spec.argv.insert(spec.argv.end(), {"-C", paths.initScript});
  }
  const Step step{"configuring the private copy of '" + manifest.buildDir + "'", "cmake " + manifest.buildDir};
  auto done = runStep(spec, step, request, paths);
  if (!done && fresh && paths.takesCompilerFacts && done.error().kind != ErrorKind::Interrupted) {
    forget(); // a version of CMake may keep facts where we do not look for them: it detects them again
    done = runStep(std::move(spec), step, request, paths);
  }
  if (!done)
    return std::unexpected(done.error());
  return {};
}

Result<Manifest> configureTree(const Manifest &manifest, const std::string &tree, const std::string &script,
                               const std::atomic<bool> *cancelled) {
  ShadowRequest request;
  request.manifest = manifest;
  request.cancelled = cancelled;
  ShadowPaths paths;
  paths.folder = fs::path(tree).parent_path().string();
  paths.tree = tree;
  paths.initScript = tree + "-cache.cmake";
  paths.configured = tree + "-configured.cmake";
  paths.log = tree + ".log";
  TRY(createDirectories(paths.folder));
  const bool fresh = readFile(paths.configured).value_or(std::string()) != script;
  std::error_code error;
  if (fresh)
    fs::remove(paths.configured, error); // a configure that is killed must not count as done
  TRY(writeFileAtomic(paths.initScript, script));
  TRY(configureShadow(request, paths, fresh));
  TRY(writeFileAtomic(paths.configured, script));
  return loadManifest(tree, manifest.kernel, manifest.config);
}

Result<NamedTests> findNamedTests(const ShadowRequest &request, const ShadowPaths &paths, const Manifest &shadow,
                                  const std::string &ninja) {
  NamedTests tests = TRY(readNamedTests(request, paths, shadow));
  if (!shadow.endToEnd.empty()) {
    NamedTest application{std::string(kApplication), shadow.endToEnd, shadow.endToEndDirectory, {}};
    std::string &first = application.command.front();
    if (const auto found = first.find('/') == std::string::npos ? findProgram(first) : std::nullopt)
      first = *found;
    tests.push_back(std::move(application));
  }
  if (tests.empty())
    return tests;
  ProcessSpec list;
  list.argv = {ninja, "-t", "targets", "all"};
  list.workingDirectory = paths.tree;
  const Step step{"listing what the private copy of '" + request.manifest.buildDir + "' builds",
                  "ninja -C " + request.manifest.buildDir + " -t targets all"};
  const std::string targets = TRY(runStep(std::move(list), step, request, paths));
  const std::set<std::string> built = builtFiles(targets, paths.tree);
  for (NamedTest &test : tests)
    test.files = filesOf(test, built);
  return tests;
}

std::vector<std::string> programFiles(const Manifest &shadow, const NamedTests &named) {
  std::vector<std::string> files;
  for (const auto *list : {&shadow.tests, &shadow.benchmarks})
    for (const ProgramTarget &program : *list)
      if (!program.file.empty())
        files.push_back(program.file);
  for (const NamedTest &test : named)
    files.insert(files.end(), test.files.begin(), test.files.end());
  return files;
}

Result<void> buildShadow(const ShadowRequest &request, const ShadowPaths &paths, const Manifest &shadow,
                         const NamedTests &named, const std::string &ninja) {
  const std::vector<std::string> targets = buildTargets(paths, shadow, named);
  ProcessSpec spec;
  spec.argv = {ninja};
  spec.workingDirectory = paths.tree;
  spec.argv.insert(spec.argv.end(), targets.begin(), targets.end());
  const Step step{"building the tests and benchmarks of kernel '" + shadow.kernel + "'",
                  "cmake --build " + request.manifest.buildDir + " --target " + join(targets, " ")};
  TRY(runStep(std::move(spec), step, request, paths));
  return {};
}

Result<std::string> listTests(const ShadowRequest &request, const ShadowPaths &paths, const Manifest &shadow,
                              const NamedTests &named) {
  const std::string stamp = treeStamp(paths, shadow, named) + "\n";
  if (auto cached = readFile(paths.tests); cached && cached->starts_with(stamp))
    return cached->substr(stamp.size());
  const fs::path beside = fs::path(request.manifest.cmakeCommand).parent_path() / "ctest";
  std::error_code error;
  ProcessSpec spec;
  spec.argv = {fs::exists(beside, error) ? beside.string() : "ctest", "--show-only=json-v1"};
  if (!shadow.config.empty()) // tests may be registered for some configurations only
    spec.argv.insert(spec.argv.end(), {"-C", shadow.config});
  spec.workingDirectory = paths.tree;
  const Step step{"listing the tests of the private copy of '" + request.manifest.buildDir + "'",
                  "ctest --test-dir " + request.manifest.buildDir + " -N"};
  auto result = TRY(runStep(std::move(spec), step, request, paths));
  TRY(writeFileAtomic(paths.tests, stamp + result));
  return result;
}

} // namespace agentic
