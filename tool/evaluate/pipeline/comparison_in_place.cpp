#include "tool/evaluate/pipeline/comparison_in_place.h"

#include "tool/evaluate/baseline/recorded_calls_baseline.h"

#include <algorithm>
#include <optional>

namespace agentic {
namespace {

/// Returns why the project's own programs show nothing of a candidate: a sentence for the verdict, or an empty text if
/// there is nothing to say. nullopt: they do.
std::optional<std::string> whyNotInPlace(const Prepared &prepared, const Expectation &expectation) {
  const auto isFree = [](const ExpectedStep &step) { return step.mayDiffer > 0; };
  if (expectation.steps.empty() || prepared.facts.recording.comparedInProcess > 0 || prepared.glueLibrary.empty())
    return "";
  if (std::ranges::any_of(expectation.steps, isFree))
    return "rounding decides some results";
  return std::nullopt;
}

/// The same for calls of the benchmarks. A kernel whose calls cannot be captured is compared in the tests' process by
/// the stage differential, but nothing else looks at its timed calls.
std::optional<std::string> whyNotAudited(const Prepared &prepared, const Expectation &expectation) {
  const std::optional<std::string> reason = whyNotInPlace(prepared, expectation);
  return prepared.facts.recording.comparedInProcess > 0 && !prepared.glueLibrary.empty() && reason && reason->empty()
             ? std::nullopt
             : reason;
}

} // namespace

Result<DifferentialOutcome> auditTimedCalls(const Prepared &prepared, const EvaluatorOptions &options,
                                            const Expectation &expectation, const std::string &sharedObject,
                                            const std::string &scratch) {
  DifferentialOutcome outcome{.passed = true};
  if (const std::optional<std::string> reason = whyNotAudited(prepared, expectation)) {
    outcome.remark = reason->empty() ? "" : "no call of the benchmarks was audited: " + *reason;
    return outcome;
  }
  InProcessOutcome audited = TRY(auditBenchmarkCalls(prepared, options, sharedObject, scratch));
  outcome.seconds = audited.seconds;
  if (audited.compared == 0)
    outcome.remark = "no call of the benchmarks was audited: " + audited.notCompared;
  outcome.passed = audited.problem.empty();
  outcome.detail = std::move(audited.problem);
  return outcome;
}

Result<DifferentialOutcome> judgeInPlace(const Prepared &prepared, const EvaluatorOptions &options,
                                         const Expectation &expectation, const std::string &sharedObject,
                                         const std::string &scratch) {
  const std::string notCompared = "not compared with the baseline in the tests' own process: ";
  DifferentialOutcome outcome{.passed = true};
  if (const std::optional<std::string> reason = whyNotInPlace(prepared, expectation)) {
    outcome = TRY(auditTimedCalls(prepared, options, expectation, sharedObject, scratch));
    if (!reason->empty())
      outcome.remark = notCompared + *reason;
    return outcome;
  }
  InProcessOutcome compared = TRY(compareUncaptured(prepared, options, sharedObject, scratch));
  if (compared.problem.empty())
    outcome = TRY(auditTimedCalls(prepared, options, expectation, sharedObject, scratch));
  outcome.seconds += compared.seconds;
  if (!compared.problem.empty()) {
    outcome.passed = false;
    outcome.detail = std::move(compared.problem);
  } else if (compared.compared == 0) {
    outcome.remark = notCompared + compared.notCompared;
  }
  return outcome;
}

} // namespace agentic
