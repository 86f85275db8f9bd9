// A kernel under MemorySanitizer: what it takes to run one, and what came out.
//
// The runtime has to be in the main program, so that there is a program for it (tool/runner/memory_driver.cpp), which
// clang compiles here, as it does glue, baseline and candidate: nothing between them may be uninstrumented. For a
// project that g++ compiles it is clang with that project's flags.
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
  std::string problem; ///< why there are none: "clang++ is not installed"; empty: all is there

  /// `build` with this compiler; valid as long as both are.
  BuildContext context(const BuildContext &build) const;
};

/// What clang gets.
std::vector<std::string> unsetValueFlags();

/// Whether something compiled with them has vector intrinsics of which MemorySanitizer does not know how they carry
/// unset bits on: all bits of their operands have to be set.
bool hasStrictIntrinsics(const InstrumentedBuild &build);

/// ~2 s; from the cache directory ~10 ms. Errors: those of the machinery.
Result<MemoryTools> buildMemoryTools(const InstrumentedContext &context);

struct MemoryRunRequest {
  std::string baseline;  ///< shared object; empty: it sets all of its outputs
  std::string kernel;    ///< shared object
  double seconds = 0;    ///< of CPU time: it begins no step after these
  std::size_t steps = 0; ///< nor more than so many
  double timeoutSeconds = 60;
};

struct MemoryRun {
  bool isDone = false;             ///< all steps, and nothing unset came back
  std::size_t steps = 0;           ///< of isDone
  std::size_t unsetInBaseline = 0; ///< output bytes
  std::optional<int> unset;        ///< the parameter in which something unset came back; -1: the result
  SanitizerReport report;          ///< of what the kernel did with a value that is not set
  std::string end;                 ///< how the process ended, or what it could not do
  double seconds = 0;
};

/// `context.expectation` has steps.
Result<MemoryRun> runMemory(const InstrumentedContext &context, const MemoryTools &tools,
                            const MemoryRunRequest &request);

} // namespace agentic
