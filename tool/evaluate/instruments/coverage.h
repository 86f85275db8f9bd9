// Finds the code of a winner that never ran: neither in the project's tests nor in the recorded and generated calls, nor
// in benchmarks whose calls are compared where they are made. Nothing is known of such code, so it blocks write-back
// unless the user allows it.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/instruments/instrumented_build.h"

#include <cstddef>
#include <string>
#include <vector>

namespace agentic {

struct UncoveredPlace {
  unsigned line = 0, column = 0; ///< in the candidate's text
  std::string what;              ///< "body of the loop", "else of the if in line 12"

  std::string text() const; ///< "12:3: body of the loop"
};

struct CoverageOutcome {
  bool isKnown = false; ///< false: nothing could be measured; `remarks` say why
  std::size_t covered = 0, total = 0;
  std::vector<UncoveredPlace> uncovered; ///< by position; without places inside another one
  /// Why the candidate could not be measured although the unchanged kernel can: it blocks like uncovered code, because
  /// it would else be a way to hide code.
  std::string unmeasured;
  std::vector<std::string> remarks; ///< what was not measured, and what did not run to its end
  double seconds = 0;

  bool isComplete() const { return isKnown && uncovered.empty() && unmeasured.empty(); }
};

/// Advice for the user: a sentence that ends a list of uncovered places.
inline constexpr const char *kCoverageAdvice =
    "no test, recorded call or generated call runs these: add a test that does, let AGENTIC_REQUIRES exclude what they "
    "are for, or remove them";

/// Cost: a parse and a compile, then the tests and the plan, up to ten times as slow as usual; the same for the
/// unchanged kernel if the candidate could not be measured. Errors: those of the machinery.
Result<CoverageOutcome> coverCandidate(const InstrumentedContext &context, const BuiltCandidate &candidate);

/// The same for the unchanged kernel; its places are those of the kernel's own text.
Result<CoverageOutcome> coverBaseline(const InstrumentedContext &context);

} // namespace agentic
