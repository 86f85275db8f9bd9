#include "tool/evaluate/pipeline/comparison_in_place.h"

#include "tool/evaluate/baseline/recorded_calls_baseline.h"

#include <algorithm>
#include <optional>

namespace agentic {
namespace {

bool hasFreeRounding(const Expectation &expectation) {
  return std::ranges::any_of(expectation.steps, [](const ExpectedStep &step) { return step.mayDiffer > 0; });
}

/// Returns whether the stage differential compares calls, which cannot all be captured, in the tests' own process.
bool isComparedAnyway(const Prepared &prepared) {
  return prepared.facts.recording.comparedInProcess > 0;
}

/// Returns why the project's own programs show nothing of a candidate: a sentence for the verdict, or an empty text if
/// there is nothing to say. nullopt: they do.
std::optional<std::string> whyNotInPlace(const Prepared &prepared, const Expectation &expectation) {
  if (expectation.steps.empty() || isComparedAnyway(prepared) || prepared.glueLibrary.empty())
    return "";
  return hasFreeRounding(expectation) ? std::optional<std::string>("rounding decides some results") : std::nullopt;
}

/// The same for calls of the benchmarks: nothing else looks at those that cannot be captured.
std::optional<std::string> whyNotAudited(const Prepared &prepared, const Expectation &expectation) {
  return isComparedAnyway(prepared) && !prepared.glueLibrary.empty() ? std::nullopt
                                                                     : whyNotInPlace(prepared, expectation);
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
