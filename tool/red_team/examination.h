// Runs every layer on every candidate, without a stop at the first one that catches it. An evaluation never does that,
// and only this shows which later layers would have caught it too. Judges nothing; an evaluation is in evaluator.h.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/red_team/red_team_table.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace agentic {

class Examination {
public:
  /// Opens like Evaluator::open: prepares a project that is not prepared.
  static Result<std::unique_ptr<Examination>> open(const EvaluatorOptions &options);
  virtual ~Examination() = default;

  virtual const KernelSpec &spec() const = 0;

  /// Fills the layers of each candidate. Checks, compiles, tests and comparisons run on all CPUs; then, one after the
  /// other under the machine-wide lock, one benchmark process each. A candidate that an evaluation would not even link
  /// is still compiled and run, in the sandbox. `done`: one line per candidate. Cost: about 1 s of CPU time each.
  /// Errors: those of the machinery; interrupted.
  virtual Result<void> examine(std::span<RedTeamResult> rows, const std::function<void(const std::string &)> &done) = 0;
};

} // namespace agentic
