// Compares calls that cannot be captured in the place where they are made: in the project's own tests and benchmarks,
// which run once more with the recorder in them. At sampled calls the program forks, and the candidate does the same
// call on the same memory in the fork (runner/recorder_compare.h).
//
// Weaker than the replay, and every report says so: the calls are the project's own, no others; the candidate runs in a
// process that knows the test, and may start processes, in the sandbox; memory of unknown type is compared word by
// word.
#pragma once

#include "tool/evaluate/differential/comparison.h"
#include "tool/evaluate/differential/recorded_runs.h"
#include "tool/model/kernel_spec.h"

#include <cstddef>
#include <string>

namespace agentic {

struct InProcessOutcome {
  std::size_t compared = 0; ///< calls
  std::string problem;     ///< why the candidate is wrong; fit to be shown to an agent: no values, nothing of the tests
  std::string notCompared; ///< why the first uncompared call was not compared
  bool isPartial = false;  ///< some calls had more memory than the comparison looks at
  CallingThreads callers;  ///< in the programs that ran
  double seconds = 0;
};

/// Stops at the first problem. Cost: one run of the tests and a short one of each benchmark, slower by some 20 ms per
/// sampled call, of which each process has at most 32. Errors: a program could not be started; interrupted.
Result<InProcessOutcome> compareInProcess(const RecordingRequest &request, const std::string &candidate,
                                          const Exactness &exactness);

/// Audits the candidate in the benchmarks, which run with it once more, untimed: at calls that it cannot foretell it is
/// compared on the memory that it left itself, as it is and with some input elements changed (runner/recorder_audit.h).
/// Sees what skips the work where it finds its own earlier results. Arguments of unknown extent are not changed. Cost:
/// a short run of each benchmark, some 40 ms per audited call, of which each process has at most 12. Errors as above.
Result<InProcessOutcome> auditInBenchmarks(const RecordingRequest &request, const std::string &candidate,
                                           const Exactness &exactness);

} // namespace agentic
