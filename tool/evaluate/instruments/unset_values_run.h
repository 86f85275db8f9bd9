// Runs a kernel under MemorySanitizer, and prepares the tools for that.
//
// The runtime has to be in the main program, so there is a program for it (tool/runner/memory_driver.cpp). clang
// compiles it here, as it does glue, baseline and candidate, because all code between them must be instrumented. For a
// project that g++ compiles, it is clang with that project's flags.
#pragma once

#include "tool/evaluate/instruments/instrumented_build.h"
#include "tool/evaluate/instruments/sanitize_report.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct MemoryTools {
  Compiler compiler; ///< a clang
  CompileCommand command;
  std::string driver, glue;
  std::string problem; ///< why there are no tools: "clang++ is not installed"; empty: all are there

  /// Returns `build` with this compiler; valid as long as both are.
  BuildContext context(const BuildContext &build) const;
};

/// The flags for clang.
std::vector<std::string> unsetValueFlags();

/// Returns whether `build` has vector intrinsics for which MemorySanitizer does not know how they propagate unset bits:
/// all bits of their operands have to be set.
bool hasStrictIntrinsics(const InstrumentedBuild &build);

/// ~2 s; from the cache directory ~10 ms. Errors: those of the machinery.
Result<MemoryTools> buildMemoryTools(const InstrumentedContext &context);

struct MemoryRunRequest {
  std::string baseline;  ///< shared object; empty: it sets all of its outputs
  std::string kernel;    ///< shared object
  double seconds = 0;    ///< limit of CPU time, after which no step begins
  std::size_t steps = 0; ///< limit of steps
  double timeoutSeconds = 60;
  bool outputsAreSet = false; ///< what outputs hold before a call counts as set
};

struct MemoryRun {
  bool isDone = false;             ///< all steps, and nothing unset came back
  std::size_t steps = 0;           ///< steps that are done
  std::size_t unsetInBaseline = 0; ///< output bytes
  std::optional<int> unset;        ///< the parameter in which something unset came back; -1: the result
  SanitizerReport report;          ///< report on the kernel's use of an unset value
  std::string end;                 ///< how the process ended, or what it could not do
  double seconds = 0;
};

/// Needs a `context.expectation` with steps.
Result<MemoryRun> runMemory(const InstrumentedContext &context, const MemoryTools &tools,
                            const MemoryRunRequest &request);

} // namespace agentic
