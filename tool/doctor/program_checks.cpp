// What is installed here, by trying it.
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/doctor/check.h"

namespace agentic {
namespace {

/// Of the first that runs: "clang++-19: Debian clang version 19.1.7".
std::string firstOf(const DoctorView &view, std::initializer_list<const char *> programs) {
  for (const char *program : programs)
    if (const std::string version = view.versionOf(program); !version.empty())
      return std::string(program) + ": " + version;
  return {};
}

} // namespace

std::string programVersion(const std::string &program) {
  if (!findProgram(program))
    return {};
  const auto said = runProcess({.argv = {program, "--version"}, .timeoutSeconds = 5, .mergeOutput = true});
  return said && said->ok() ? std::string(trim(firstLine(said->out))) : std::string();
}

Diagnosis lookAtSandbox(const DoctorView &view) {
  const Sandbox sandbox = view.sandbox();
  if (!sandbox.confines())
    return {Health::Fail, sandbox.name(), "candidates run as you do: " + sandbox.warning(),
            "apt-get install bubblewrap, or a kernel with Landlock (5.13 and later)"};
  if (sandbox.strength() == Sandbox::Strength::OwnLauncher)
    return {Health::Warn, sandbox.name(),
            "names and sizes of your files can be learnt by a candidate, not their contents",
            "apt-get install bubblewrap, and allow user namespaces"};
  return {Health::Ok, sandbox.name(), {}, {}};
}

Diagnosis lookAtCompilers(const DoctorView &view) {
  const std::string clang =
      firstOf(view, {"clang++-19", "clang++-20", "clang++-18", "clang++-17", "clang++-16", "clang++"});
  const std::string gcc = firstOf(view, {"g++", "g++-14", "g++-13", "g++-12"});
  if (clang.empty() && gcc.empty())
    return {Health::Fail, "none in PATH", "no candidate can be compiled", "apt-get install g++, or clang-19"};
  const std::string found = clang + (clang.empty() || gcc.empty() ? "" : "; ") + gcc;
  if (clang.empty() || gcc.empty())
    return {Health::Ok, found + "; FAMILIES needs both", {}, {}};
  return {Health::Ok, found, {}, {}};
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
  if (cmake.empty())
    return {Health::Fail, "no cmake", "no project can be configured", "apt-get install cmake"};
  if (ninja.empty())
    return {Health::Fail, cmake + "; no ninja", "trees for candidates are built with Ninja, whatever the project uses",
            "apt-get install ninja-build"};
  return {Health::Ok, cmake + "; ninja " + ninja, {}, {}};
}

Diagnosis lookAtAgents(const DoctorView &view) {
  if (!view.agents)
    return {Health::Ok, "builtin; others were not asked", {}, {}};
  std::vector<std::string> ready, refused;
  for (const ProviderState &state : view.agents())
    if (state.reach == Reach::Yes)
      ready.push_back(state.name);
    else if (state.reach == Reach::KeyRefused)
      refused.push_back(state.name);
  if (!refused.empty())
    return {Health::Warn, join(refused, ", ") + " refused the key", "a run with such an agent ends at its first call",
            "correct the variable of the key; 'agentic-kernel agents' names it"};
  return {Health::Ok, ready.empty() ? "builtin; no model answers" : "builtin, " + join(ready, ", "), {}, {}};
}

} // namespace agentic
