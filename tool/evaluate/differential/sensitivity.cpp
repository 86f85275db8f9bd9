#include "tool/evaluate/differential/sensitivity.h"

#include "tool/base/files.h"
#include "tool/evaluate/differential/expectation.h"
#include "tool/evaluate/differential/plan_run.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace agentic {
namespace {

class SensitivityLearning {
public:
  explicit SensitivityLearning(const SensitivityRequest &request)
      : request_(request), plan_(*request.plan), baseline_(*request.baseline) {}

  Result<Sensitivity> run() {
    result_.mayDiffer.assign(plan_.steps.size(), 0);
    for (const PlanStep &step : plan_.steps)
      result_.fields.push_back(outputsOf(plan_.calls[step.header.call].call, *request_.kernel));
    if (plan_.steps.empty())
      return std::move(result_);
    std::deque<PlanRunBeside> others;
    for (const std::string &library : {request_.library, request_.unfused})
      if (!library.empty())
        others.emplace_back(*request_.context, planRun(request_.planFile, library));
    std::optional<PlanRunBeside> upward;
    if (request_.exactness.hasTolerance() &&
        std::ranges::any_of(plan_.steps, [this](const PlanStep &step) { return !plan_.isVerbatim(step); })) {
      const std::string file = request_.planFile + ".upward";
      TRY(writeScratch(file, plan_.bytes(true)));
      upward.emplace(*request_.context, planRun(file, request_.library));
    }
    for (std::size_t i = 0; i < others.size(); ++i) {
      PlanRun run = others[i].get();
      if (!run.outcome)
        return std::unexpected(run.outcome.error());
      const bool isItself = std::ranges::count(result_.mayDiffer, 0u) == std::ssize(result_.mayDiffer);
      if (i > 0 || others.size() == 1)
        learnContractionOf(i > 0 ? &*run.outcome : nullptr);
      compareWithItself(*run.outcome);
      if (i > 0 && isItself && run.outcome->isComplete && request_.exactness.kind == Exactness::Kind::Strict)
        result_.uncontracted = std::move(*run.outcome);
    }
    spreadOverSteps();
    if (upward)
      learnRoundingOf(TRY(upward->get().outcome));
    return std::move(result_);
  }

private:
  PlanRunRequest planRun(const std::string &planFile, const std::string &library) const {
    return {planFile, plan_.steps.size(), library, request_.timeoutSeconds};
  }

  /// `plain`: the baseline's outcome without contraction; nullptr: that is the same code, and explains nothing. A
  /// declared tolerance stays as it is in calls where the baseline keeps it either way.
  void learnContractionOf(const ReplayOutcome *plain) {
    for (std::size_t i = 0; i < result_.fields.size(); ++i) {
      std::vector<OutputField> &fields = result_.fields[i];
      for (OutputField &field : fields)
        field.contraction = 0;
      if (!plain || i >= plain->steps.size())
        continue;
      const std::span<const std::byte> with = baseline_.steps[i].outputs, without = plain->steps[i].outputs;
      if (!request_.exactness.hasTolerance() || !compareOutputs(fields, with, without, request_.exactness).empty())
        learnContraction(fields, with, without);
    }
  }

  /// A kernel that does not survive the rounding leaves the other steps to the declared tolerance.
  void learnRoundingOf(const ReplayOutcome &upward) {
    for (std::size_t i = 0; i < std::min(plan_.steps.size(), upward.steps.size()); ++i)
      if (!plan_.isVerbatim(plan_.steps[i]))
        learnRounding(result_.fields[i], baseline_.steps[i].outputs, upward.steps[i].outputs);
  }

  void compareWithItself(const ReplayOutcome &other) {
    for (std::size_t i = 0; i < plan_.steps.size() && i < other.steps.size(); ++i) {
      if (other.steps[i].header.outputHash == baseline_.steps[i].header.outputHash)
        continue;
      const Exactness exactness =
          plan_.isVerbatim(plan_.steps[i]) ? request_.exactness : request_.exactness.forMadeContents();
      result_.mayDiffer[i] += 2 * differingElements(compareOutputs(result_.fields[i], baseline_.steps[i].outputs,
                                                                   other.steps[i].outputs, exactness));
    }
  }

  /// A few calls show the share of elements that rounding decides; a small call need not show which ones.
  void spreadOverSteps() {
    double sensitive = 0, all = 0;
    std::vector<double> elements;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      elements.push_back(0);
      for (const OutputField &field : result_.fields[i])
        elements.back() += static_cast<double>(field.bytes / std::max<std::size_t>(1, field.elementSize));
      all += elements.back();
      sensitive += static_cast<double>(result_.mayDiffer[i]);
    }
    for (std::size_t i = 0; i < plan_.steps.size() && sensitive > 0; ++i)
      result_.mayDiffer[i] =
          std::max(result_.mayDiffer[i], static_cast<std::size_t>(std::ceil(2 * sensitive / all * elements[i])));
  }

  const SensitivityRequest &request_;
  const Plan &plan_;
  const ReplayOutcome &baseline_;
  Sensitivity result_;
};

} // namespace

Result<Sensitivity> learnSensitivity(const SensitivityRequest &request) {
  return SensitivityLearning(request).run();
}

} // namespace agentic
