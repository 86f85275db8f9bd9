// The shadow tree: our private copy of the user's build configuration, below <build>/_agentic/. The user's tree is only
// read. Four kinds per kernel: Hook (kernel replaced by the dispatcher with the hook: candidates are .so files),
// Original (the kernel as written, undispatched), Final (hook off, staged generated files: what a normal build will
// be), Sanitized (as Final, without benchmarks, all code compiled with AddressSanitizer and UBSan at -O1).
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/generated_file.h"
#include "tool/model/manifest.h"

#include <atomic>
#include <string>
#include <vector>

namespace agentic {

enum class ShadowKind { Hook, Original, Final, Sanitized };

/// How the number is found that a program prints. Without a pattern the program is a Google Benchmark.
struct Metric {
  std::string pattern; ///< a JSON pointer ("/time"), else a regular expression with one group
  std::string unit;    ///< ns, us, ms, s: less is better; something per second ("MB/s"): more is better
  std::string option = "BENCHMARK_METRIC"; ///< argument of add_agentic_kernel() that has it
};

struct TestProgram {
  std::string target, file;             ///< target: or the name of a test that add_test() registered
  std::vector<std::string> command;     ///< what ctest starts around `file`: a script with its words; empty = `file`
  std::string workingDirectory;         ///< ctest's; else the shadow's binary folder of the target
  std::vector<std::string> environment; ///< "K=V" additions
  std::vector<std::string>
      arguments; ///< from ctest's command line (filters and output options dropped), then TEST_ARGS
  Metric metric; ///< of benchmarks and the application
  bool isApplication = false;

  /// Returns the files that `command` names: scripts and what runs them.
  std::vector<std::string> scripts() const;
  std::string described() const; ///< "benchmark program 'x'", "application 'x'"
};

struct ShadowTree {
  std::string directory;
  ShadowKind kind = ShadowKind::Hook;
  Manifest manifest; ///< manifest of the shadow: its paths are the shadow's
  std::vector<TestProgram> tests;
  std::vector<TestProgram> benchmarks;
  std::vector<TestProgram> applications; ///< that of END_TO_END; empty = none
  CompileCommand command;                ///< compiles SOURCE or its dispatch unit in the shadow
  std::string key; ///< hash of the built test and benchmark programs and the project's shared libraries they load:
                   ///< baseline facts depend on it
  std::vector<std::string> visible; ///< what the programs need to see when they run: source and build tree, TEST_DATA,
                                    ///< working and library folders. For Sandbox::View::readOnly
};

struct ShadowRequest {
  Manifest manifest; ///< manifest of the user's tree
  ShadowKind kind = ShadowKind::Hook;
  std::vector<GeneratedFile>
      files; ///< dispatch, lock (and variants, for Final and Sanitized) to put in the shadow's VARIANT_DIR
  bool allowUnoptimized = false; ///< accept Debug, sanitizer and coverage builds
  const std::atomic<bool> *cancelled = nullptr;
  double timeoutSeconds = 3600;
};

/// Configures if needed and builds just the kernel's tests, benchmarks and application, under a lock of its own. Up to
/// date: ~0.05 s. Refuses builds that do not optimise, before anything is built. Errors have the relevant part of the
/// failing command's output and the command that does the same in the user's tree.
Result<ShadowTree> prepareShadow(const ShadowRequest &request);

/// <build>/_agentic/shadow/<kernel>: everything that prepareShadow writes lies below.
std::string shadowFolder(const Manifest &manifest);
Result<void> removeShadow(const Manifest &manifest);

/// Returns the cache entries of the user's tree as a `-C` script for the shadow (pure, for tests): copied entry by
/// entry; paths inside the build tree that were set before configure are kept, others dropped; FetchContent uses the
/// existing sources; never string-replaced. The entries that a kind of tree adds come after it.
std::string shadowCacheScript(const std::string &cmakeCache, const Manifest &manifest);

} // namespace agentic
