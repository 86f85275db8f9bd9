// The checks of `doctor`: a table of checks, each a function of the machine that returns its diagnosis. A new check
// needs a function and a row of the table in checks.cpp.
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
  std::string consequence; ///< consequence if it is not ok
  std::string remedy;      ///< command or sentence
};

/// Returns the first line of a program's version; empty if it is not in PATH or does not run.
std::string programVersion(const std::string &program);
bool isInstalled(const std::string &program); ///< PATH has it

/// Returns 0, or the error with which the kernel refuses to count cycles.
int hardwareCounterError();

/// Returns empty if a process gets a user namespace here, else the reason; nullopt if that cannot be tried.
std::optional<std::string> userNamespaceRefusal();

/// The paths that checks look at: the command fills it in, tests use a folder with a /proc and a /sys of their own.
struct DoctorView {
  std::filesystem::path root = "/"; ///< for /proc and /sys
  std::filesystem::path buildDir = ".";
  std::filesystem::path cacheDir;     ///< folder of the user's caches
  std::filesystem::path clangHeaders; ///< Clang's resource directory
  std::string toolProgram;            ///< path of this program
  std::string calibration;            ///< one line about the calibration; empty if none counts
  std::string calibrationNote;        ///< why the calibration does not count
  Cpu cpu = hostCpu();                ///< the CPU that decides; tests use recorded ones
  std::function<std::string(const std::string &program)> versionOf = programVersion;
  std::function<bool(const std::string &program)> hasProgram = isInstalled;
  std::function<int()> tryCounter = hardwareCounterError;
  std::function<std::optional<std::string>()> tryNamespace = userNamespaceRefusal;
  std::function<Sandbox()> sandbox = Sandbox::probe;
  std::function<std::vector<ProviderState>()> agents; ///< empty: no provider is asked
  /// Lists what the tree's kernels do with addresses, and their candidates may do, too: one line each; empty: not
  /// asked.
  std::function<std::vector<std::string>()> permissions;
  /// Says what nothing runs of the tree's unchanged kernels, as far as runs found out: "name: sentence"; empty: not
  /// asked.
  std::function<std::vector<std::string>()> uncovered;
  /// Says how threads call the tree's kernels, as far as it was seen: "name: calls run side by side …"; empty: not
  /// asked.
  std::function<std::vector<std::string>()> callers;
};

struct DoctorCheck {
  std::string_view name, topic; ///< topic: "machine" | "programs" | "project"
  Diagnosis (*look)(const DoctorView &view);
};
/// Returns the checks in display order. None writes anything; together they take a second, agents that do not answer
/// five.
std::span<const DoctorCheck> doctorChecks();

// Checks of the CPU itself, and of deviations in /proc/cpuinfo (cpu_check.cpp).
Diagnosis lookAtLevels(const DoctorView &view);

// Checks of /proc and /sys below the root, and trials (machine_checks.cpp).
Diagnosis lookAtGovernor(const DoctorView &view);
Diagnosis lookAtBoost(const DoctorView &view);
Diagnosis lookAtThreads(const DoctorView &view);
Diagnosis lookAtRandomization(const DoctorView &view);
Diagnosis lookAtLoad(const DoctorView &view);
Diagnosis lookAtClock(const DoctorView &view);
Diagnosis lookAtCounters(const DoctorView &view);
Diagnosis lookAtNamespaces(const DoctorView &view);

// Checks of installed programs (program_checks.cpp).
Diagnosis lookAtSandbox(const DoctorView &view);
Diagnosis lookAtCompilers(const DoctorView &view);
Diagnosis lookAtClangHeaders(const DoctorView &view);
Diagnosis lookAtCMake(const DoctorView &view);
Diagnosis lookAtAgents(const DoctorView &view);
Diagnosis lookAtFarm(const DoctorView &view);

// Checks of the build tree, and of its caches (project_checks.cpp).
Diagnosis lookAtTree(const DoctorView &view);
Diagnosis lookAtPermissions(const DoctorView &view);
Diagnosis lookAtCoverage(const DoctorView &view);
Diagnosis lookAtCallers(const DoctorView &view);
Diagnosis lookAtVersions(const DoctorView &view);
Diagnosis lookAtNoise(const DoctorView &view);

// Checks of the folders that are written to (storage_check.cpp).
Diagnosis lookAtDisk(const DoctorView &view);

} // namespace agentic
