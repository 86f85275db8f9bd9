// What `doctor` looks at: a table of checks, each a function of the machine that returns what it saw. Adding one takes
// a function and a row of the table in checks.cpp.
#pragma once

#include "tool/build/host.h"
#include "tool/build/sandbox.h"
#include "tool/llm/probe.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

enum class Health { Ok, Warn, Fail };
const char *healthName(Health health); ///< "ok", "warn", "fail"

struct Diagnosis {
  Health health = Health::Ok;
  std::string found;       ///< "powersave"; foreign text is not escaped
  std::string consequence; ///< of what is not ok
  std::string remedy;      ///< command or sentence
};

/// What a program says first when it is asked for its version; empty if it is not in PATH or does not run.
std::string programVersion(const std::string &program);

/// 0, or the error with which the kernel refuses to count cycles.
int hardwareCounterError();

/// Empty if a process gets a user namespace here, else why not; nothing if that cannot be tried.
std::optional<std::string> userNamespaceRefusal();

/// Where checks look: the command fills it in, tests have a folder with a /proc and a /sys of their own.
struct DoctorView {
  std::filesystem::path root = "/"; ///< for /proc and /sys
  std::filesystem::path buildDir = ".";
  std::filesystem::path cacheDir;     ///< of what is kept for the user
  std::filesystem::path clangHeaders; ///< Clang's resource directory
  std::string toolProgram;            ///< path of this program
  std::string calibration;            ///< one line of what was measured; empty if nothing counts
  std::string calibrationNote;        ///< why what was measured does not count
  Cpu cpu = hostCpu();                ///< what decides; tests have recorded ones
  std::function<std::string(const std::string &program)> versionOf = programVersion;
  std::function<int()> tryCounter = hardwareCounterError;
  std::function<std::optional<std::string>()> tryNamespace = userNamespaceRefusal;
  std::function<Sandbox()> sandbox = Sandbox::probe;
  std::function<std::vector<ProviderState>()> agents; ///< empty: nobody is asked
};

struct DoctorCheck {
  std::string_view name, topic; ///< topic: "machine" | "programs" | "project"
  Diagnosis (*look)(const DoctorView &view);
};
/// In the order they are shown. None writes anything; together they take a second, agents that do not answer five.
std::span<const DoctorCheck> doctorChecks();

// Of the CPU itself, and where /proc/cpuinfo says otherwise (cpu_check.cpp).
Diagnosis lookAtLevels(const DoctorView &view);

// Of /proc and /sys below the root, and by trying (machine_checks.cpp).
Diagnosis lookAtGovernor(const DoctorView &view);
Diagnosis lookAtBoost(const DoctorView &view);
Diagnosis lookAtThreads(const DoctorView &view);
Diagnosis lookAtRandomization(const DoctorView &view);
Diagnosis lookAtLoad(const DoctorView &view);
Diagnosis lookAtClock(const DoctorView &view);
Diagnosis lookAtCounters(const DoctorView &view);
Diagnosis lookAtNamespaces(const DoctorView &view);

// Of what is installed (program_checks.cpp).
Diagnosis lookAtSandbox(const DoctorView &view);
Diagnosis lookAtCompilers(const DoctorView &view);
Diagnosis lookAtClangHeaders(const DoctorView &view);
Diagnosis lookAtCMake(const DoctorView &view);
Diagnosis lookAtAgents(const DoctorView &view);

// Of the build tree, and of what is kept for it (project_checks.cpp).
Diagnosis lookAtTree(const DoctorView &view);
Diagnosis lookAtVersions(const DoctorView &view);
Diagnosis lookAtNoise(const DoctorView &view);

// Of the folders that are written to (storage_check.cpp).
Diagnosis lookAtDisk(const DoctorView &view);

} // namespace agentic
