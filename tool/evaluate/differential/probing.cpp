#include "tool/evaluate/differential/probing.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace agentic {
namespace {

bool isDone(const ReplayOutcome &outcome, std::size_t step) {
  return step < outcome.steps.size() && outcome.steps[step].header.status == wire::StepStatus::Done;
}

PlanStep stepFor(const Plan &plan, wire::Prefill prefill, std::uint64_t seed) {
  PlanStep step;
  step.header.call = step.header.slot = static_cast<std::uint32_t>(plan.calls.size());
  step.header.prefill = prefill;
  step.header.seed = seed;
  return step;
}

bool overlaps(const RecordedCall &call, std::size_t index) {
  const RecordedArgument &one = call.arguments[index];
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const RecordedArgument &other = call.arguments[i];
    if (i != index && other.header.address != 0 && one.header.address < other.header.address + other.bytes.size() &&
        other.header.address < one.header.address + one.bytes.size())
      return true;
  }
  return false;
}

class Prober {
public:
  explicit Prober(ProbeRequest request) : request_(std::move(request)) {}

  Result<ProbedCalls> run() {
    TRY(probe());
    TRY(repeat());
    return std::move(probed_);
  }

private:
  Result<void> probe() {
    Plan plan;
    std::vector<std::size_t> firstStep;
    std::vector<bool> isChanged;
    for (PlannedCall call : request_.calls) {
      isChanged.push_back(toOut(call.call));
      firstStep.push_back(plan.steps.size());
      for (std::uint64_t i = 0; i < (isChanged.back() ? 2 : 1); ++i)
        plan.steps.push_back(stepFor(plan, wire::Prefill::Poison, request_.seed + i));
      plan.calls.push_back(std::move(call));
    }
    ReplayOutcome outcome = TRY(request_.runBaseline(plan));
    probed_.calls = std::move(request_.calls);
    for (std::size_t i = 0; i < probed_.calls.size(); ++i) {
      const std::size_t step = firstStep[i];
      if (!isDone(outcome, step))
        break;
      PlannedCall &planned = probed_.calls[i];
      planned.seconds = outcome.steps[step].header.seconds;
      if (isChanged[i] && isDone(outcome, step + 1) &&
          outcome.steps[step].header.outputHash == outcome.steps[step + 1].header.outputHash)
        toOut(planned.call);
      else if (!isChanged[i])
        propose(planned, outcome.steps[step]);
    }
    return {};
  }

  /// False: there is nothing to change.
  bool toOut(RecordedCall &call) const {
    bool changed = false;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (call.arguments[i].header.role == wire::Role::InOut && !request_.kernel->parameters[i].isDeclared &&
          request_.kernel->parameters[i].kind == GlueParameter::Kind::Pointer && !overlaps(call, i)) {
        call.arguments[i].header.role = wire::Role::Out;
        changed = true;
      }
    return changed;
  }

  /// Adds the call with `result` in its InOut arguments, if that changes any.
  void propose(const PlannedCall &planned, const ReplayedStep &result) {
    if (proposed_.size() >= request_.mostRepeated)
      return;
    PlannedCall repeated = planned;
    repeated.isHeldOut = true;
    repeated.origin = "generated";
    bool isOther = false;
    std::size_t at = 0;
    for (RecordedArgument &argument : repeated.call.arguments) {
      const std::size_t size = argument.bytes.size();
      if (argument.header.role != wire::Role::Out && argument.header.role != wire::Role::InOut)
        continue;
      if (at + size > result.outputs.size())
        return;
      if (argument.header.role == wire::Role::InOut && size > 0) {
        isOther = isOther || std::memcmp(argument.bytes.data(), result.outputs.data() + at, size) != 0;
        std::memcpy(argument.bytes.data(), result.outputs.data() + at, size);
      }
      at += wire::padded(size);
    }
    if (!isOther)
      return;
    proposed_.push_back({std::move(repeated), result.header.outputHash});
  }

  Result<void> repeat() {
    if (proposed_.empty())
      return {};
    Plan plan;
    for (const Proposal &proposal : proposed_) {
      plan.steps.push_back(stepFor(plan, wire::Prefill::Poison, request_.seed));
      plan.calls.push_back(proposal.call);
    }
    ReplayOutcome outcome = TRY(request_.runBaseline(plan));
    for (std::size_t i = 0; i < proposed_.size() && isDone(outcome, i); ++i)
      if (outcome.steps[i].header.outputHash == proposed_[i].outputHash)
        probed_.repeated.push_back(std::move(proposed_[i].call));
    return {};
  }

  struct Proposal {
    PlannedCall call;
    std::uint64_t outputHash;
  };

  ProbeRequest request_;
  ProbedCalls probed_;
  std::vector<Proposal> proposed_;
};

} // namespace

Result<ProbedCalls> probeCalls(ProbeRequest request) {
  return Prober(std::move(request)).run();
}

} // namespace agentic
