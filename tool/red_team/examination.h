// Every layer on every candidate, without a stop at the first one that catches it: what an evaluation never does, and
// the only way to see which layers would have caught it too. Judges nothing; an evaluation is in evaluator.h.
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
  /// As Evaluator::open: a project that is not prepared is prepared now.
  static Result<std::unique_ptr<Examination>> open(const EvaluatorOptions &options);
  virtual ~Examination() = default;

  virtual const KernelSpec &spec() const = 0;

  /// The layers of each candidate. Checks, compiles, tests and comparisons run on all CPUs; then, one after the other
  /// under the machine-wide lock, one benchmark process each. What an evaluation would not even link is compiled and
  /// run all the same, in the sandbox. `done`: one line per candidate. Cost: about 1 s of CPU time each.
  /// Errors: those of the machinery; interrupted.
  virtual Result<void> examine(std::span<RedTeamResult> rows, const std::function<void(const std::string &)> &done) = 0;
};

} // namespace agentic
