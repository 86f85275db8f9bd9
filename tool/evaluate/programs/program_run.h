// Runs one test or benchmark program of the shadow tree with a candidate substituted, and fetches the report it wrote.
//
// The process holds hostile code. Its report is in a directory that exists only for this run, under a random name, and
// is read as hostile input: a regular file of bounded size or nothing.
#pragma once

#include "tool/base/error.h"
#include "tool/base/process.h"
#include "tool/build/sandbox.h"
#include "tool/build/shadow.h"

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// The context that all runs of one evaluation share.
struct RunContext {
  std::string kernel;
  const Sandbox *sandbox = nullptr;
  Sandbox::View view;              ///< project and shadow tree, read-only
  std::string scratchDirectory;    ///< private directories are made below it
  std::vector<std::string> runner; ///< prefix for tests; timings are never taken through it
  const std::atomic<bool> *cancelled = nullptr;
};

/// Additions for instrumented code: a sanitizer's runtime, files that it writes.
struct RunAdditions {
  std::vector<std::string> preload;            ///< libraries, loaded before all others
  std::vector<std::string> environment;        ///< "K=V"
  std::vector<std::string> readOnly, writable; ///< for Sandbox::View
  bool hasShadowMemory = false;                ///< reserves terabytes of addresses: address space has no limit

  /// Adds them all. Libraries that `environment` preloads already stay, after these.
  void addTo(ProcessSpec &spec, Sandbox::View &view) const;
};

struct ProgramRequest {
  const TestProgram *program = nullptr;
  std::string sharedObject;           ///< the candidate, or a forced choice; empty = the kernel as it is linked in
  std::vector<std::string> arguments; ///< after the program's own
  std::string reportOption;           ///< "--gtest_output=json:"; the report's path is appended. Empty = no report
  double timeoutSeconds = 60;
  std::optional<int> cpu;
  RunAdditions added;
  std::string recorder;  ///< library that is loaded before all others and records calls; empty = none
  bool isTraced = false; ///< the dispatchers' choices are wanted
};

struct ProgramRun {
  ProcessResult process;
  std::optional<std::string> report;    ///< nullopt: none written, or not a regular file of at most 16 MiB
  bool endedEarly = false;              ///< GoogleTest's premature-exit file was left behind
  std::optional<std::string> recording; ///< the recorder's output: at most 128 MiB
  std::string trace;                    ///< lines "<kernel> <choice>": at most 1 MiB
};

/// Errors: the program could not be started; interrupted.
Result<ProgramRun> runProgram(const RunContext &context, const ProgramRequest &request);

/// Reads a file that a hostile process may have put there: nullopt unless it is a regular file of at most `cap` bytes.
std::optional<std::string> readUntrusted(const std::string &path, std::size_t cap);

} // namespace agentic
