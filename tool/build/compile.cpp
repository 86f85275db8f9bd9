#include "tool/build/compile.h"

#include "tool/base/clock.h"
#include "tool/base/cpu_limit.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/build/cmake_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace agentic {
namespace {

constexpr std::uint64_t kCompileMemory = std::uint64_t{4} << 30;
constexpr std::uint64_t kCompileOutput = std::uint64_t{100} << 20;
constexpr double kLinkSeconds = 30;

std::string normalized(const std::string &path) {
  std::string out = fs::path(path).lexically_normal().string();
  if (out.size() > 1 && out.back() == '/')
    out.pop_back();
  return out;
}

/// Returns the paths outside the system's folders that the command refers to: include paths, sysroots, specs; and the
/// whole source tree of the build, because its headers include each other by relative paths.
std::set<std::string> referencedFolders(const std::vector<std::string> &arguments, const std::string &directory) {
  std::set<std::string> out = {normalized(directory)};
  const auto cache = readFile(directory + "/CMakeCache.txt");
  if (const std::string source = cache ? cacheValue(parseCMakeCache(*cache), "CMAKE_HOME_DIRECTORY") : std::string();
      !source.empty())
    out.insert(normalized(source));
  for (const std::string &argument : arguments) {
    const std::size_t slash = argument.find('/');
    const bool isOption = argument.starts_with("-");
    if (isOption && (slash == std::string::npos || argument.starts_with("-D") || argument.starts_with("-U")))
      continue;
    // "-I/x", "-isystem/x", "--sysroot=/x", "-fplugin=/x", or a path on its own
    std::string path = isOption ? argument.substr(slash) : argument;
    if (isOption && slash > 2 && argument.starts_with("-I"))
      path = argument.substr(2);
    if (path.empty() || path[0] != '/')
      path = directory + "/" + path;
    std::error_code error;
    if (!fs::exists(path, error))
      continue;
    out.insert(normalized(path));
    out.insert(fs::canonical(path, error).string()); // a link into a package manager's store
  }
  return out;
}

/// The installation a compiler belongs to: /opt/llvm for /opt/llvm/bin/clang++.
void addToolchain(std::set<std::string> &folders, const std::string &compiler) {
  std::error_code error;
  const fs::path real = fs::canonical(compiler, error);
  for (const fs::path &path : {fs::path(compiler), real}) {
    const fs::path bin = path.parent_path(), prefix = bin.parent_path();
    // A compiler in ~/bin must not show the whole home folder.
    bool isToolchain = false;
    for (const char *library : {"lib/clang", "lib64/clang", "lib/gcc", "lib64/gcc"})
      isToolchain = isToolchain || (bin.filename() == "bin" && fs::is_directory(prefix / library, error));
    if (path.is_absolute())
      folders.insert((isToolchain ? prefix : bin).string());
  }
}

bool isBelow(const std::string &path, const std::string &folder) {
  return (path + "/").starts_with(folder + "/");
}

/// Returns whether showing `folder` shows `path`: the sandbox hides the tool's own folders, but for named paths in
/// them.
bool isShownBy(const std::string &path, const std::string &folder) {
  return isBelow(path, folder) && path.find("/_agentic", folder.size()) == std::string::npos;
}

std::string parentOf(const std::string &file) {
  return fs::path(file).parent_path().string();
}

bool isFull(const std::string &folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return !error && space.available < (std::uintmax_t{1} << 20);
}

/// Runs a compiler and turns its end into an outcome.
Result<CompileOutcome> runCompiler(ProcessSpec spec, const Sandbox *sandbox, const std::string &writable) {
  const std::string compiler = spec.argv[0];
  if (!findProgram(compiler))
    return userError("the compiler '" + compiler + "' does not exist or is not executable",
                     "reconfigure the build tree with a compiler that is installed");
  spec.limits.addressSpaceBytes = kCompileMemory;
  spec.limits.fileSizeBytes = kCompileOutput;
  const double cpuSeconds = std::max(1.0, spec.timeoutSeconds);
  limitCpu(spec, cpuSeconds);
  spec.mergeOutput = true;
  const Sandbox none = Sandbox::none();
  const Sandbox &box = sandbox != nullptr ? *sandbox : none;
  const auto view = compileView(spec.argv, spec.workingDirectory, writable);
  const double start = steadySeconds();
  auto result = TRY(box.run(std::move(spec), view));
  if (result.end == ProcessResult::End::Cancelled)
    return interruptedError();
  if (result.end == ProcessResult::End::TimedOut) // the time of its own children is not known
    return starvedError("'" + compiler + "'", cpuSeconds);
  if (!result.ok() && isFull(writable)) // do not decide by the message: a candidate can print it with #error
    return userError("the disk that holds '" + writable + "' is full", "free some space and run the command again");
  CompileOutcome outcome{result.ok(), std::move(result.out), steadySeconds() - start};
  const bool isSlow = !result.ok() && hasUsedUpCpu(result, cpuSeconds);
  outcome.isBeyondLimits = isSlow || result.end != ProcessResult::End::Exited;
  if (outcome.isBeyondLimits) {
    outcome.diagnostics += "\ncompiler: error: the compiler " +
                           (isSlow ? fmt::format("ran longer than {:.0f} s", cpuSeconds) : result.describe()) + "\n";
  }
  return outcome;
}

/// An object of ours, from C: compiled once per text and compiler, because it is the same for all candidates.
Result<std::string> cachedObject(const LinkRequest &request, const std::string &name, const std::string &text) {
  const std::string key = HashBuilder()
                              .add(text)
                              .add(request.compiler)
                              .add(join(request.target, " "))
                              .add(request.kernel)
                              .hex()
                              .substr(0, 16);
  const std::string object = request.cacheDir + "/" + name + "-" + key + ".o";
  std::error_code error;
  if (fs::exists(object, error))
    return object;
  auto scratch = TRY(ScratchDirectory::create(request.cacheDir, name + "-"));
  const std::string source = scratch.path() / (name + ".c");
  const std::string output = scratch.path() / (name + ".o");
  TRY(writeFileAtomic(source, text));
  ProcessSpec spec;
  spec.argv = {request.compiler, "-x", "c", "-O1", "-fPIC", "-w", "-c", source, "-o", output};
  spec.argv.insert(spec.argv.begin() + 1, request.target.begin(), request.target.end());
  spec.workingDirectory = scratch.path();
  spec.cancelled = request.cancelled;
  auto compiled = TRY(runCompiler(std::move(spec), request.sandbox, scratch.path()));
  if (!compiled.ok)
    return bugError("the " + name + " of kernel '" + request.kernel + "' does not compile: " + compiled.diagnostics);
  fs::rename(output, object, error); // atomic: a concurrent process makes the same file
  if (error)
    return userError("cannot write '" + object + "': " + error.message(), "check the free space and permissions there");
  return object;
}

/// Zeros in the sections that hold code and constants; nothing refers to them.
std::string paddingText(std::size_t bytes) {
  const std::string space = ".balign 64\\n.zero " + std::to_string(bytes) + "\\n";
  return "__asm__(\".text\\n" + space + ".section .rodata\\n" + space + ".text\");\n";
}

} // namespace

Sandbox::View compileView(const std::vector<std::string> &arguments, const std::string &directory,
                          const std::string &writable) {
  std::set<std::string> folders = referencedFolders(arguments, directory);
  addToolchain(folders, arguments[0]);
  Sandbox::View view;
  std::string parent = "/usr"; // sorted: a folder comes before what lies in it
  for (const std::string &folder : folders)
    if (!folder.empty() && folder != "/" && !isBelow(folder, "/usr") &&
        (writable.empty() || !isBelow(folder, normalized(writable))) && !isShownBy(folder, parent))
      view.readOnly.push_back(parent = folder);
  if (!writable.empty())
    view.writable = {writable};
  return view;
}

Result<CompileOutcome> compileUnit(const CompileRequest &request) {
  ProcessSpec spec;
  spec.argv = compileArguments(request);
  if (spec.argv.empty())
    return userError("the compile command of '" + request.command.file + "' is empty", "reconfigure the build tree");
  spec.workingDirectory = request.command.directory;
  spec.timeoutSeconds = request.timeoutSeconds;
  spec.cancelled = request.cancelled;
  return runCompiler(std::move(spec), request.sandbox, parentOf(request.objectFile));
}

Result<CompileOutcome> linkCandidate(const LinkRequest &request) {
  Result<std::string> entry = request.entryObject;
  if (entry->empty())
    entry = cachedObject(request, "entry", request.entryShim);
  if (!entry)
    return std::unexpected(entry.error());
  SharedObjectRequest link;
  if (request.padding > 0) {
    auto padding = TRY(cachedObject(request, "padding", paddingText(request.padding)));
    link.objects.push_back(std::move(padding)); // the linker keeps the order
  }
  link.objects.insert(link.objects.end(), {request.objectFile, *entry});
  link.exports = {"agentic_kernel_entry_" + request.kernel};
  link.sharedObject = request.sharedObject;
  link.name = request.kernel;
  link.cacheDir = request.cacheDir;
  link.compiler = request.compiler;
  link.needsCxxLibrary = request.needsCxxLibrary && !request.entryObject.empty();
  link.target = request.target;
  link.sandbox = request.sandbox;
  link.cancelled = request.cancelled;
  return linkSharedObject(link);
}

Result<CompileOutcome> linkSharedObject(const SharedObjectRequest &request) {
  const std::string versionScript = request.cacheDir + "/" + request.name + ".map";
  const auto script =
      writeFileIfChanged(versionScript, "{ global: " + join(request.exports, "; ") + "; local: *; };\n");
  if (!script)
    return std::unexpected(script.error());
  ProcessSpec spec;
  spec.argv = {request.compiler, "-shared", "-nostartfiles", "-o", request.sharedObject};
  spec.argv.insert(spec.argv.begin() + 1, request.target.begin(), request.target.end());
  spec.argv.insert(spec.argv.end(), request.objects.begin(), request.objects.end());
  // Libraries stay lazy (--as-needed) but symbols do not (now): a missing one must show when the file is loaded.
  spec.argv.insert(spec.argv.end(), {"-Wl,--version-script=" + versionScript,
                                     "-Wl,-z,now,-z,relro,-z,separate-code,-z,noexecstack", "-Wl,--as-needed"});
  if (request.needsCxxLibrary)
    spec.argv.emplace_back("-lstdc++");
  spec.workingDirectory = parentOf(request.sharedObject);
  spec.timeoutSeconds = kLinkSeconds;
  spec.cancelled = request.cancelled;
  return runCompiler(std::move(spec), request.sandbox, parentOf(request.sharedObject));
}

} // namespace agentic
