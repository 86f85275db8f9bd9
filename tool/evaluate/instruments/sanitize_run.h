// Runs one instrumented shared object in the runner and in the tests, and reads what the sanitizers reported.
#pragma once

#include "tool/evaluate/instruments/instrumented_build.h"
#include "tool/evaluate/instruments/sanitize.h"
#include "tool/evaluate/instruments/sanitize_report.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Libraries that must be loaded before code that this compiler instruments for both sanitizers; empty if they are not
/// installed: then `problem` says what to install. ~20 ms.
struct SanitizerRuntimes {
  std::vector<std::string> libraries;
  std::string problem;
};
Result<SanitizerRuntimes> findSanitizerRuntimes(const Compiler &compiler);

/// Adds to the unit the code that makes the reports of all runtimes arrive; positions stay.
CandidateUnit withReports(CandidateUnit unit, const std::vector<std::string> &runtimes);

struct SanitizedRun {
  bool passed = false;
  bool isFailure = false; ///< wrong results or a premature end: not merely late
  std::string detail;     ///< as judge() or runTests() reports it
  SanitizerReport report; ///< report of the first process that wrote one
  double seconds = 0;
};

Result<SanitizedRun> runSanitizedCalls(const InstrumentedContext &context, const std::vector<std::string> &runtimes,
                                       const std::string &sharedObject);
Result<SanitizedRun> runSanitizedTests(const InstrumentedContext &context, const std::vector<std::string> &runtimes,
                                       const std::string &sharedObject);

/// The innermost frame of the report in the candidate's own text; line 0 if there is none, or no symbolizer is
/// installed. ~50 ms.
struct ReportPlace {
  unsigned line = 0, column = 0; ///< in the candidate's text
};
Result<ReportPlace> placeOf(const SanitizerReport &report, const InstrumentedBuild &build, const CandidateUnit &unit,
                            const Sandbox &sandbox);

/// Returns whether the report is about a vector intrinsic's operands, not about an address of a load or store. ~50 ms.
Result<bool> isAtIntrinsic(const SanitizerReport &report, const InstrumentedBuild &build, const CandidateUnit &unit,
                           const Sandbox &sandbox);

} // namespace agentic
