// A candidate that leaves constants open (AGENTIC_TUNE, source/tunables.h) becomes the best of its settings: each is
// evaluated like any candidate, by coordinate descent, at the cost of time alone. What comes out is one attempt, whose
// candidate holds plain constants and names what it was made from as its parent.
#pragma once

#include "tool/base/error.h"
#include "tool/model/run_state.h"
#include "tool/source/candidate/tunables.h"

#include <functional>
#include <optional>
#include <vector>

namespace agentic {

struct TuningRequest {
  Candidate candidate;             ///< with its AGENTIC_TUNE
  std::vector<TriedSetting> tried; ///< by an earlier process of the run: not evaluated again
  double bestRatio = 1;            ///< of the incumbent, which settings are measured against
  /// nullopt: cannot be evaluated any more, since the time is up or the run is interrupted.
  std::function<Result<std::optional<Evaluation>>(const Candidate &settled)> evaluate;
  std::function<Result<void>(const TriedSetting &tried)> record; ///< before the next one begins
};

/// nullopt: no setting could be evaluated. A candidate whose declarations are wrong is rejected by check; one without
/// any is evaluated as it is.
Result<std::optional<Attempt>> tune(const TuningRequest &request);

} // namespace agentic
