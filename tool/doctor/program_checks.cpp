// Checks the installed programs by running them.
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/cmake_cache.h"
#include "tool/doctor/check.h"

#include <fmt/format.h>

#include <cstdio>

namespace agentic {
namespace {

constexpr int kOldestMajor = 3, kOldestMinor = 22; ///< the oldest CMake for the module

/// Returns the first that runs: "clang++-19: Debian clang version 19.1.7".
std::string firstOf(const DoctorView &view, std::initializer_list<const char *> programs) {
  for (const char *program : programs)
    if (const std::string version = view.versionOf(program); !version.empty())
      return std::string(program) + ": " + version;
  return {};
}

/// Returns the compiler that configured the build tree, if it runs.
std::string treeCompiler(const DoctorView &view) {
  const std::string cache = readFile(view.buildDir / "CMakeCache.txt").value_or("");
  const std::string compiler = cacheValue(parseCMakeCache(cache), "CMAKE_CXX_COMPILER");
  const std::string version = compiler.empty() ? std::string() : view.versionOf(compiler);
  return version.empty() ? std::string() : compiler + ": " + version;
}

} // namespace

std::string programVersion(const std::string &program) {
  if (!findProgram(program))
    return {};
  const auto said = runProcess({.argv = {program, "--version"}, .timeoutSeconds = 30, .mergeOutput = true});
  return said && said->ok() ? std::string(trim(firstLine(said->out))) : std::string();
}

bool isInstalled(const std::string &program) {
  return findProgram(program).has_value();
}

Diagnosis lookAtSandbox(const DoctorView &view) {
  const Sandbox sandbox = view.sandbox();
  const bool hasBubblewrap = !view.versionOf("bwrap").empty();
  if (!sandbox.confines())
    return {Health::Fail, sandbox.name(), "candidates run as you do: " + sandbox.warning(),
            std::string(hasBubblewrap ? "allow user namespaces for bubblewrap (see that line above)"
                                      : "apt-get install bubblewrap") +
                ", or use a kernel with Landlock (5.13 and later)"};
  if (sandbox.strength() == Sandbox::Strength::OwnLauncher)
    return {Health::Warn, sandbox.name() + (hasBubblewrap ? "; bubblewrap is there, but does not work" : ""),
            "names and sizes of your files can be learnt by a candidate, not their contents",
            hasBubblewrap ? "allow user namespaces for bubblewrap (see that line above)"
                          : "apt-get install bubblewrap, and allow user namespaces"};
  return {Health::Ok, sandbox.name(), {}, {}};
}

Diagnosis lookAtCompilers(const DoctorView &view) {
  const std::string clang =
      firstOf(view, {"clang++-19", "clang++-20", "clang++-18", "clang++-17", "clang++-16", "clang++"});
  const std::string gcc = firstOf(view, {"g++", "g++-14", "g++-13", "g++-12"});
  const std::string found = clang + (clang.empty() || gcc.empty() ? "" : "; ") + gcc;
  if (!found.empty())
    return {Health::Ok, found + (clang.empty() || gcc.empty() ? "; FAMILIES needs both" : ""), {}, {}};
  if (const std::string own = treeCompiler(view); !own.empty())
    return {Health::Ok, "none in PATH that runs; the build tree's own is " + own, {}, {}};
  return {Health::Fail, "none in PATH that runs", "no candidate can be compiled", "apt-get install g++, or clang-19"};
}

Diagnosis lookAtClangHeaders(const DoctorView &view) {
  std::error_code ignored;
  if (!fs::exists(view.clangHeaders / "include" / "stddef.h", ignored))
    return {Health::Fail, view.clangHeaders.string() + " has no include/stddef.h",
            "no kernel can be read: Clang's own headers belong to the library that this tool uses",
            "apt-get install libclang-common-19-dev, or build the tool again with the Clang that is there"};
  return {Health::Ok, view.clangHeaders.string(), {}, {}};
}

Diagnosis lookAtCMake(const DoctorView &view) {
  const std::string cmake = view.versionOf("cmake"), ninja = view.versionOf("ninja");
  const std::string missing = std::string(cmake.empty() && ninja.empty() ? "no cmake, no ninja"
                                          : cmake.empty()                ? "no cmake"
                                                                         : "no ninja") +
                              " that runs";
  const std::string install =
      std::string("apt-get install") + (cmake.empty() ? " cmake" : "") + (ninja.empty() ? " ninja-build" : "");
  if (cmake.empty())
    return {Health::Fail, missing, "no project can be configured", install};
  int major = 0, minor = 0;
  if (std::sscanf(cmake.c_str(), "cmake version %d.%d", &major, &minor) == 2 &&
      std::pair(major, minor) < std::pair(kOldestMajor, kOldestMinor))
    return {Health::Fail, cmake + (ninja.empty() ? "; " + missing : ""),
            fmt::format("the module needs {}.{} or later", kOldestMajor, kOldestMinor),
            "install a later one (pip install cmake, or from cmake.org)" + (ninja.empty() ? "; " + install : "")};
  if (ninja.empty())
    return {Health::Fail, cmake + "; " + missing,
            "trees for candidates are built with Ninja, whatever the project uses", install};
  return {Health::Ok, cmake + "; ninja " + ninja, {}, {}};
}

Diagnosis lookAtAgents(const DoctorView &view) {
  if (!view.agents)
    return {Health::Ok, "builtin; others were not asked", {}, {}};
  std::vector<std::string> ready, refused, silent;
  for (const ProviderState &state : view.agents())
    if (state.reach == Reach::Yes)
      ready.push_back(state.name);
    else if (state.reach == Reach::KeyRefused)
      refused.push_back(state.name);
    else if (state.reach == Reach::No && state.keyIsSet)
      silent.push_back(state.name + (state.detail.empty() ? "" : " (" + state.detail + ")"));
  if (!refused.empty())
    return {Health::Warn, join(refused, ", ") + " refused the key", "a run with such an agent ends at its first call",
            "correct the variable of the key; 'agentic-kernel agents' names it"};
  if (!silent.empty())
    return {Health::Warn, "no answer, though a key is set: " + join(silent, ", "),
            "a run with such an agent cannot ask it; 'builtin' needs no network",
            "look at network and proxy (HTTPS_PROXY), then: agentic-kernel agents"};
  return {Health::Ok, ready.empty() ? "builtin; no model answers" : "builtin, " + join(ready, ", "), {}, {}};
}

/// Nobody needs a farm: that there is none is all right.
Diagnosis lookAtFarm(const DoctorView &view) {
  const bool hasSsh = view.hasProgram("ssh"), hasSlurm = view.hasProgram("srun");
  std::error_code error;
  const fs::path worker =
      fs::path(view.toolProgram).parent_path().parent_path() / "libexec/agentic-kernel/agentic-kernel-worker";
  if (!view.toolProgram.empty() && !fs::exists(worker, error))
    return {Health::Warn, "no " + worker.string(), "'optimize --farm' has nothing to send to other machines",
            "install or build agentic-kernel completely"};
  if (hasSsh && hasSlurm)
    return {Health::Ok, "by ssh and by Slurm", {}, {}};
  if (hasSsh || hasSlurm)
    return {Health::Ok, hasSsh ? "by ssh; not by Slurm: there is no srun" : "by Slurm; there is no ssh", {}, {}};
  return {Health::Ok, "none: 'optimize --farm' would need ssh, or Slurm's srun", {}, {}};
}

} // namespace agentic
