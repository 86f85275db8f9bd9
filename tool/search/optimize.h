// The loop: ask the agent, evaluate, journal, until a budget is spent; then shorten the best, have it reviewed, and
// confirm it.
//
// Terms as in the design: an iteration is one candidate evaluated; the incumbent is the best so far. The loop decides
// nothing about a candidate's worth itself: evaluate/ does.
#pragma once

#include "tool/base/clock.h"
#include "tool/base/error.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/agent.h"
#include "tool/model/run_config.h"
#include "tool/search/budget_plan.h"
#include "tool/search/journal.h"
#include "tool/search/run_event.h"
#include "tool/search/shortening.h"
#include "tool/search/withdrawal.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct RunRequest {
  RunConfig config;
  std::vector<Candidate> existing; ///< checked-in variants, evaluated first; the first fresh one leads
  bool firstIsFresh = false;       ///< existing[0] is fresh: it stays unless something is measured faster in confirm
  double searchSeconds = kNoTimeLimit; ///< BudgetPlan::searchSeconds: from now on
  double secondsBefore = 0;            ///< used by the run's earlier processes
  double startSeconds = 0;             ///< value of `clock` at the process's begin; the journal has the whole time
  const std::atomic<bool> *cancelled = nullptr;
  ShorteningSettings shortening;
  Withdrawal *withdrawal = nullptr; ///< whose flag the evaluator watches; nullptr: no candidate is taken back
  std::function<double()> clock = steadySeconds;
};

/// EndedBefore: resumed after its search had ended, so only confirming was left. Passed: nothing is measured, so the
/// first candidate that passes is the result. Agent: the agent stopped with a reason (a budget of its own, too many
/// failures).
enum class StopReason { Exhausted, Iterations, Time, Interrupted, EndedBefore, Passed, Agent };

struct RunOutcome {
  StopReason reason = StopReason::Exhausted;
  std::string agentStop;                ///< the agent's words, if it was the reason
  std::optional<Candidate> best;        ///< confirmed; nullopt if nothing was
  std::optional<Measurement> confirmed; ///< best against the baseline, fresh pairs; nullopt where nothing is measured
  std::vector<std::string> review;      ///< notes on its claim for a person
  std::string shortening;               ///< what was left out of the best before it was confirmed; empty: nothing
  std::string reviewed;                 ///< what a reviewer changed in it; empty: nothing
  bool bestIsExisting = false;          ///< the checked-in variant stays
  int iterations = 0;
  std::map<std::string, int> rejected; ///< rejectedBy(RunRecord)
  double baselineNs = 0;               ///< as calibrated
  std::string agentNote;               ///< last non-empty note of the agent, e.g. why moves were refused
};

/// Runs until the agent has nothing left, a budget is spent or `cancelled`. However little time there is to search, two
/// are tried to their end: the first candidate of the run, and the agent's best opening. Whatever else is not through
/// when that time is up has no verdict and stays pending. Everything is in the journal before the
/// next step begins; a run that ended while something was confirmed begins with confirming it. Where nothing is
/// measured (Evaluator::isTimed) the first candidate that passes is the best: the checked-in variants come first, then
/// what the agent proposes, in its order. Errors are those of the machinery (a full disk, a changed compiler), never a
/// candidate's. A candidate that is withdrawn has no verdict, is no iteration, and may be proposed again.
Result<RunOutcome> runLoop(Evaluator &evaluator, Agent &agent, Journal &journal, const RunRequest &request,
                           const RunListener &listener);

} // namespace agentic
