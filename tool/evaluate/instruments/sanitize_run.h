// One instrumented shared object in the runner and in the tests, and what the sanitizers reported.
#pragma once

#include "tool/evaluate/instruments/instrumented_build.h"
#include "tool/evaluate/instruments/sanitize.h"
#include "tool/evaluate/instruments/sanitize_report.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Libraries that code of this compiler, instrumented for both sanitizers, has to find loaded; empty if they are not
/// installed, and `problem` says what to install. ~20 ms.
struct SanitizerRuntimes {
  std::vector<std::string> libraries;
  std::string problem;
};
Result<SanitizerRuntimes> findSanitizerRuntimes(const Compiler &compiler);

/// The unit with what it takes for reports of all the runtimes to arrive; positions stay.
CandidateUnit withReports(CandidateUnit unit, const std::vector<std::string> &runtimes);

struct SanitizedRun {
  bool passed = false;
  bool isFailure = false; ///< wrong results, or an end too early: not merely late
  std::string detail;     ///< as judge() or runTests() tell it
  SanitizerReport report; ///< of the first process that wrote one
  double seconds = 0;
};

Result<SanitizedRun> runSanitizedCalls(const InstrumentedContext &context, const std::vector<std::string> &runtimes,
                                       const std::string &sharedObject);
Result<SanitizedRun> runSanitizedTests(const InstrumentedContext &context, const std::vector<std::string> &runtimes,
                                       const std::string &sharedObject);

/// The innermost of the report's frames that lies in the candidate's own text; line 0 if none does, or no symbolizer is
/// installed. ~50 ms.
struct ReportPlace {
  unsigned line = 0, column = 0; ///< in the candidate's text
};
Result<ReportPlace> placeOf(const SanitizerReport &report, const InstrumentedBuild &build, const CandidateUnit &unit,
                            const std::string &candidate, const Sandbox &sandbox);

/// Whether the report is of a vector intrinsic's operands, not of an address that is loaded from or stored to. ~50 ms.
Result<bool> isAtIntrinsic(const SanitizerReport &report, const InstrumentedBuild &build, const CandidateUnit &unit,
                           const Sandbox &sandbox);

} // namespace agentic
