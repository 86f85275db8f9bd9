#include "tool/search/stop_reason.h"

#include "tool/model/figures.h"

namespace agentic {
namespace {

std::string remedy(StopReason reason, const std::string &moreTime) {
  switch (reason) {
  case StopReason::Exhausted:
    return "another --agent may have more to try";
  case StopReason::Iterations:
    return "allow more: --max-iterations";
  case StopReason::Time:
    return "give it more time: " + moreTime;
  case StopReason::Agent:
    return "raise that limit (--budget-usd, --max-failures, " + moreTime + "), or choose another --agent";
  case StopReason::Interrupted:
  case StopReason::EndedBefore:
  case StopReason::Passed:
    return "continue with --resume";
  }
  return "";
}

} // namespace

std::string stopReasonText(const RunOutcome &outcome) {
  switch (outcome.reason) {
  case StopReason::Exhausted:
    return "the agent has nothing more to try";
  case StopReason::Iterations:
    return "the iteration budget is spent";
  case StopReason::Time:
    return "the time budget is spent";
  case StopReason::Interrupted:
    return "interrupted";
  case StopReason::EndedBefore:
    return "its search had ended before";
  case StopReason::Passed:
    return "the first candidate that passes is taken, since nothing is measured under an emulator";
  case StopReason::Agent:
    return outcome.agentStop;
  }
  return "";
}

std::string reasonAndRemedy(const RunOutcome &outcome, const std::string &moreTime) {
  return stopReasonText(outcome) + (outcome.iterations > 0 ? "" : "; " + remedy(outcome.reason, moreTime));
}

std::string noWinnerText(const RunOutcome &outcome, const std::string &moreTime) {
  return outcome.iterations > 0 ? "no candidate was confirmed faster than the baseline"
                                : "0 candidates tried: " + reasonAndRemedy(outcome, moreTime);
}

std::string keptText(const RunRecord &record) {
  const Attempt *best = incumbentOf(record);
  if (!best)
    return {};
  return "; the best so far is kept: " + best->candidate.id +
         (best->evaluation.measurement ? ", " + ratioText(best->evaluation.measurement->speedup) : "");
}

} // namespace agentic
