#include "tool/evaluate/differential/timed_calls.h"

#include "tool/base/files.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr double kSecondsPerCall = 0.02, kTimeout = 60;

} // namespace

void TimedCalls::add(PlannedCall call, std::vector<PlanPatch> patches, std::size_t tag) {
  PlanStep step;
  step.header.call = plan_.calls.size();
  step.header.slot = static_cast<std::uint32_t>(plan_.calls.size());
  step.header.layout = wire::Layout::AtBegin; // like an allocator's alignment
  step.header.prefill = wire::Prefill::Zeros;
  step.header.timeSeconds = kSecondsPerCall;
  step.header.dump = 0;
  step.patches = std::move(patches);
  plan_.steps.push_back(std::move(step));
  plan_.calls.push_back(std::move(call));
  tags_.push_back(tag);
}

Result<ReplayOutcome> TimedCalls::replaySide(bool isCandidate) {
  return replay(context_, planFile_, plan_.steps.size(), isCandidate ? libraries_.candidate : libraries_.baseline,
                kTimeout);
}

Result<void> TimedCalls::keepWhatTheBaselineDoes() {
  while (!plan_.steps.empty()) {
    TRY(writeFileAtomic(planFile_, plan_.bytes()));
    ReplayOutcome outcome = TRY(replaySide(false));
    if (outcome.isComplete)
      break;
    const bool isFault = !outcome.steps.empty() && outcome.steps.back().header.status != wire::StepStatus::Done;
    const std::size_t failed = std::min(outcome.steps.size() - (isFault ? 1 : 0), plan_.steps.size() - 1);
    plan_.steps.erase(plan_.steps.begin() + std::ptrdiff_t(failed));
    tags_.erase(tags_.begin() + std::ptrdiff_t(failed));
  }
  measurements_.resize(plan_.steps.size());
  return {};
}

Result<void> TimedCalls::runPair(bool candidateFirst) {
  for (bool isCandidate : {candidateFirst, !candidateFirst})
    TRY(runSide(isCandidate));
  return {};
}

Result<void> TimedCalls::runSide(bool isCandidate) {
  ReplayOutcome outcome = TRY(replaySide(isCandidate));
  if (!outcome.isComplete)
    return userError(std::string("timing other calls ended early: the ") +
                         (isCandidate ? "candidate " : "unchanged kernel ") + outcome.message,
                     "run it again; if it stays, declare what calls fulfil with AGENTIC_REQUIRES");
  for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
    std::vector<Pair> &pairs = measurements_[i].pairs;
    if (pairs.empty() || (!pairs.back().reference.empty() && !pairs.back().candidate.empty()))
      pairs.emplace_back();
    (isCandidate ? pairs.back().candidate : pairs.back().reference)
        .push_back(std::max(1e-3, 1e9 * outcome.steps[i].header.seconds));
  }
  return {};
}

} // namespace agentic
