// The stages sanitize and coverage: the instruments judge each candidate that would be accepted, and winners.
#include "tool/evaluate/pipeline/staged_evaluator.h"

#include "tool/base/clock.h"
#include "tool/base/cpus.h"
#include "tool/base/text.h"
#include "tool/evaluate/baseline/baseline_coverage.h"
#include "tool/evaluate/baseline/instrumented_facts.h"
#include "tool/evaluate/instruments/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kPlacesShown = 8;

std::string uncoveredText(const CoverageOutcome &coverage) {
  std::string text =
      fmt::format("{} of {} places of the code never ran:", coverage.total - coverage.covered, coverage.total);
  for (std::size_t i = 0; i < coverage.uncovered.size() && i < kPlacesShown; ++i)
    text += "\n  " + coverage.uncovered[i].text();
  if (coverage.uncovered.size() > kPlacesShown)
    text += fmt::format("\n  and {} more", coverage.uncovered.size() - kPlacesShown);
  return text + "\n" + kCoverageAdvice;
}

/// Does it on a second CPU if there is one; else when its result is asked for.
template <class Work> auto beside(Work work) {
  return std::async(usableCpus().size() > 1 ? std::launch::async : std::launch::deferred, std::move(work));
}

/// Returns what no instrument saw of a candidate although it can be seen of the baseline; empty if all was seen.
std::string unseenText(const SanitizeOutcome &sanitized, const UnsetOutcome &unset, const CoverageOutcome &coverage) {
  std::vector<std::string> texts = {sanitized.unmeasured, unset.unmeasured, coverage.unmeasured};
  if (coverage.isKnown && !coverage.uncovered.empty())
    texts.push_back(uncoveredText(coverage));
  std::erase(texts, "");
  return join(texts, "\n");
}

} // namespace

Result<InstrumentedContext> StagedEvaluator::instrumentedContext(const BuildContext &build,
                                                                 const Expectation &expectation) {
  return agentic::instrumentedContext(prepared_, options_, build, expectation, scratch_.path());
}

Result<UnsetOutcome> StagedEvaluator::findUnsetValues(const InstrumentedContext &context, const BuiltCandidate &built) {
  auto facts = unsetFacts_.find(context.expectation->planFile);
  if (facts == unsetFacts_.end()) {
    const bool isQuick = context.expectation == &prepared_.expectation; // each process makes the full one anew
    UnsetFacts learnt = TRY(isQuick ? quickUnsetFacts(prepared_, context) : learnUnset(context));
    facts = unsetFacts_.emplace(context.expectation->planFile, std::move(learnt)).first;
  }
  UnsetOutcome outcome = TRY(findUnset(context, facts->second, built));
  outcome.remarks.insert(outcome.remarks.begin(), facts->second.remarks.begin(), facts->second.remarks.end());
  return outcome;
}

Result<UnsetOutcome> StagedEvaluator::unsetValues(Run &run, std::future<Result<UnsetOutcome>> finding) {
  const double start = steadySeconds();
  UnsetOutcome outcome = TRY(finding.get());
  run.evaluation.times.push_back({"unset-values", steadySeconds() - start});
  if (!outcome.passed)
    finish(run, Verdict::Rejected, Stage::Sanitize, outcome.detail);
  for (const std::string &remark : outcome.remarks)
    if (std::ranges::find(run.evaluation.review, remark) == run.evaluation.review.end())
      run.evaluation.review.push_back(remark);
  return outcome;
}

bool StagedEvaluator::permitsUnseen(Run &run, const std::string &unseen) {
  if (unseen.empty())
    return true;
  if (options_.allowUncovered) {
    run.evaluation.review.push_back(unseen);
    return true;
  }
  finish(run, Verdict::Rejected, Stage::Coverage, unseen + "; or --allow-uncovered");
  return false;
}

Result<bool> StagedEvaluator::survivesQuickCalls(Run &run, const BuiltCandidate &built) {
  if (prepared_.expectation.steps.empty())
    return true;
  enter(Stage::Sanitize);
  const BuildContext build = prepared_.buildContext(options_);
  InstrumentedContext context = TRY(instrumentedContext(build, prepared_.expectation));
  context.programs = nullptr; // only the calls
  context.directory = scratch_.path() / "sanitized-calls";
  TRY(createDirectories(context.directory));
  auto unsetting = beside([&] { return findUnsetValues(context, built); });
  if (!quickSanitizeFacts_)
    quickSanitizeFacts_ = TRY(quickSanitizeFacts(prepared_, context));
  SanitizeOutcome sanitized = TRY(sanitize(context, *quickSanitizeFacts_, built));
  run.evaluation.times.push_back({"sanitize-calls", sanitized.seconds});
  if (!sanitized.passed) {
    finish(run, Verdict::Rejected, Stage::Sanitize, sanitized.detail);
    return false;
  }
  const UnsetOutcome unset = TRY(unsetValues(run, std::move(unsetting)));
  return unset.passed; // the confirmation judges what could not be measured
}

/// Runs the sanitizers, then coverage. False: the evaluation says why.
Result<bool> StagedEvaluator::survivesInstruments(Run &run, const BuiltCandidate &built) {
  enter(Stage::Sanitize);
  const BuildContext build = prepared_.buildContext(options_);
  const Expectation *expectation = TRY(fullExpectation());
  const InstrumentedContext context = TRY(instrumentedContext(build, *expectation));
  auto unsetting = beside([&] { return findUnsetValues(context, built); });
  if (!sanitizeFacts_) {
    const double start = steadySeconds();
    sanitizeFacts_ = TRY(learnSanitize(context));
    prepared_.times.push_back({"sanitize-of-baseline", steadySeconds() - start});
  }
  SanitizeOutcome sanitized = TRY(sanitize(context, *sanitizeFacts_, built));
  run.evaluation.times.push_back({"sanitize", sanitized.seconds});
  if (!sanitized.passed) {
    finish(run, Verdict::Rejected, Stage::Sanitize, sanitized.detail);
    return false;
  }
  const UnsetOutcome unset = TRY(unsetValues(run, std::move(unsetting)));
  if (!unset.passed)
    return false;
  CoverageOutcome coverage = TRY(coverCandidate(context, built));
  run.evaluation.times.push_back({"coverage", coverage.seconds});
  const std::vector<std::string> *const remarks[] = {&context.expectation->remarks, &sanitizeFacts_->remarks,
                                                     &sanitized.remarks, &coverage.remarks};
  for (const std::vector<std::string> *one : remarks)
    run.evaluation.review.insert(run.evaluation.review.end(), one->begin(), one->end());
  return permitsUnseen(run, unseenText(sanitized, unset, coverage));
}

Result<std::string> StagedEvaluator::uncovered() {
  if (!prepared_.isTimed || options_.allowUncovered)
    return std::string();
  std::optional<BaselineCoverage> coverage = keptBaselineCoverage(prepared_);
  if (!coverage) {
    const double start = steadySeconds();
    const BuildContext build = prepared_.buildContext(options_);
    const auto coverageIn = [&](const Expectation &calls) -> Result<BaselineCoverage> {
      const InstrumentedContext context = TRY(instrumentedContext(build, calls));
      return baselineCoverage(context);
    };
    coverage = TRY(coverageIn(prepared_.expectation));
    if (!coverage->uncovered.empty() && !prepared_.expectation.steps.empty()) {
      const Expectation *expectation = TRY(fullExpectation()); // what a winner gets reaches more
      coverage = TRY(coverageIn(*expectation));
    }
    prepared_.times.push_back({"coverage-of-baseline", steadySeconds() - start});
    TRY(keepBaselineCoverage(prepared_, *coverage));
  }
  return uncoveredSentence(*coverage, prepared_.manifest.sourceDir);
}

} // namespace agentic
