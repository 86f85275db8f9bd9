#include "tool/evaluate/pipeline/comparison_in_place.h"

#include "tool/evaluate/baseline/recorded_calls_baseline.h"

#include <algorithm>

namespace agentic {

Result<DifferentialOutcome> judgeInPlace(const Prepared &prepared, const EvaluatorOptions &options,
                                         const Expectation &expectation, const std::string &sharedObject,
                                         const std::string &scratch) {
  const auto isFree = [](const ExpectedStep &step) { return step.mayDiffer > 0; };
  DifferentialOutcome outcome{.passed = true};
  if (expectation.steps.empty() || prepared.facts.recording.comparedInProcess > 0 || prepared.glueLibrary.empty())
    return outcome;
  const std::string notCompared = "not compared with the baseline in the tests' own process: ";
  if (std::ranges::any_of(expectation.steps, isFree)) {
    outcome.remark = notCompared + "rounding decides some results";
    return outcome;
  }
  InProcessOutcome compared = TRY(compareUncaptured(prepared, options, sharedObject, scratch));
  outcome.seconds = compared.seconds;
  if (compared.problem.empty()) {
    if (compared.compared == 0)
      outcome.remark = notCompared + compared.notCompared;
    compared = TRY(auditBenchmarkCalls(prepared, options, sharedObject, scratch));
    outcome.seconds += compared.seconds;
    if (compared.compared == 0 && outcome.remark.empty())
      outcome.remark = "no call of the benchmarks was audited: " + compared.notCompared;
  }
  outcome.passed = compared.problem.empty();
  outcome.detail = std::move(compared.problem);
  return outcome;
}

} // namespace agentic
