// A candidate that leaves constants open (AGENTIC_TUNE, source/tunables.h) becomes the best of its settings: each is
// evaluated like any candidate, by coordinate descent, at the cost of time alone. The result is one attempt, whose
// candidate holds plain constants and names the original as its parent.
#pragma once

#include "tool/base/error.h"
#include "tool/model/language.h"
#include "tool/model/run_state.h"
#include "tool/source/candidate/tunables.h"

#include <functional>
#include <optional>
#include <vector>

namespace agentic {

struct TuningRequest {
  Candidate candidate; ///< with its AGENTIC_TUNE
  Language language = Language::Cxx;
  std::vector<TriedSetting> tried; ///< settings tried by an earlier process of the run: not evaluated again
  double bestRatio = 1;            ///< ratio of the incumbent, the reference of settings
  /// Evaluates a setting; nullopt if the time is up or the run is interrupted.
  std::function<Result<std::optional<Evaluation>>(const Candidate &settled)> evaluate;
  std::function<Result<void>(const TriedSetting &tried)> record; ///< called before the next one begins
};

/// Returns nullopt if no setting could be evaluated. A candidate with wrong declarations is rejected by check; one
/// without any is evaluated as it is.
Result<std::optional<Attempt>> tune(const TuningRequest &request);

} // namespace agentic
