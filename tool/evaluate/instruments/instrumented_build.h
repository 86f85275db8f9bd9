// Compiles a candidate unit with sanitizers or with changed text. The compiler and flags are the project's; the entry
// is the plain one, without a stack of its own.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/candidate/candidate_build.h"
#include "tool/evaluate/differential/expectation.h"
#include "tool/evaluate/programs/test_stage.h"
#include "tool/source/candidate/candidate_unit.h"

#include <string>
#include <vector>

namespace agentic {

/// The context of the stages that instrument. Everything it points to must outlive the calls.
struct InstrumentedContext {
  const BuildContext *build = nullptr;
  ReplayContext replay;
  const Expectation *expectation = nullptr; ///< nullptr or without steps: no calls
  RunContext run;
  const std::vector<TestProgram> *programs = nullptr; ///< programs of the hook tree; nullptr: no tests
  std::string filter;                                 ///< TEST_FILTER
  const TestFacts *tests = nullptr;
  /// The benchmarks, if their calls are compared in their own process, because not all can be captured; else nullptr.
  const std::vector<TestProgram> *benchmarks = nullptr;
  const BenchmarkFacts *benchmarkFacts = nullptr;
  std::string directory; ///< private, exists; gets objects and reports

  bool hasCalls() const { return expectation && !expectation->steps.empty(); }
  bool hasTests() const { return programs && tests && !tests->empty(); }
};

struct InstrumentedBuild {
  std::string unitFile, sharedObject;
  std::string diagnostics; ///< the compiler's output; not for agents as it is
  bool ok = false;
};

inline constexpr const char *kInstrumentedObject = "candidate.so"; ///< the shared object's name in its directory

/// Compiles and links `unit.text` into `directory` (created if absent), with `flags` after the project's own. Cost: a
/// compile; with sanitizers, two or three times that.
Result<InstrumentedBuild> buildInstrumented(const BuildContext &context, const CandidateUnit &unit,
                                            const std::vector<std::string> &flags, const std::string &directory);

} // namespace agentic
