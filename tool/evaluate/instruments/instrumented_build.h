// A candidate unit compiled otherwise than for its measurement: with sanitizers, or with other text. The project's
// compiler and flags all the same; the entry is the plain one, without a stack of its own.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/candidate/candidate_build.h"
#include "tool/evaluate/differential/expectation.h"
#include "tool/evaluate/programs/test_stage.h"
#include "tool/source/candidate/candidate_unit.h"

#include <string>
#include <vector>

namespace agentic {

/// What the stages that instrument work with. Everything it points to must outlive the calls.
struct InstrumentedContext {
  const BuildContext *build = nullptr;
  ReplayContext replay;
  const Expectation *expectation = nullptr; ///< nullptr or without steps: no calls
  RunContext run;
  const std::vector<TestProgram> *programs = nullptr; ///< of the hook tree; nullptr: no tests
  std::string filter;                                 ///< TEST_FILTER
  const TestFacts *tests = nullptr;
  std::string directory; ///< private, exists; gets objects and reports

  bool hasCalls() const { return expectation && !expectation->steps.empty(); }
  bool hasTests() const { return programs && tests && !tests->empty(); }
};

struct InstrumentedBuild {
  std::string unitFile, sharedObject;
  std::string diagnostics; ///< of the compiler; not for agents as they stand
  bool ok = false;
};

inline constexpr const char *kInstrumentedObject = "candidate.so"; ///< the shared object's name in its directory

/// Compiles and links `unit.text` into `directory` (made if need be), with `flags` behind the project's own. Cost: a
/// compile, with sanitizers two or three times that.
Result<InstrumentedBuild> buildInstrumented(const BuildContext &context, const CandidateUnit &unit,
                                            const std::vector<std::string> &flags, const std::string &directory);

} // namespace agentic
