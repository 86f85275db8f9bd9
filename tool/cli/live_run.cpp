#include "tool/cli/live_run.h"

#include "tool/base/text.h"
#include "tool/cli/common.h"
#include "tool/model/compile_command.h"
#include "tool/search/rejections.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

namespace agentic {

LiveRun::LiveRun(Console &console, const RunBudget &budget, const RunHeading &heading)
    : console_(console), budget_(budget) {
  state_.kernel = heading.kernel;
  state_.agent = heading.agents;
  state_.maxIterations = heading.maxIterations;
  state_.stage = "preparing";
  console_.beginLive(*this);
}

void LiveRun::prepared(const Evaluator &evaluator) {
  change([&] {
    state_.target = std::string(evaluator.level().name) + " / " + familyName(evaluator.compiler().family);
    state_.isTimed = evaluator.isTimed();
  });
}

void LiveRun::begins(const RunRecord &record) {
  change([&] {
    state_.maxIterations = record.config.maxIterations;
    state_.rejected = rejectedBy(record);
    double best = 1;
    for (const Attempt &attempt : record.attempts) {
      countMeasured(attempt);
      const Evaluation &evaluation = attempt.evaluation;
      if (evaluation.verdict == Verdict::Accepted && evaluation.measurement)
        best = std::max(best, evaluation.measurement->speedup.ratio);
      state_.bestSoFar.push_back(best);
    }
    if (const Attempt *incumbent = incumbentOf(record)) {
      state_.bestCandidate = incumbent->candidate.id;
      if (incumbent->evaluation.measurement)
        state_.best = incumbent->evaluation.measurement->speedup;
    }
    state_.iteration = static_cast<int>(record.iterations.size());
    state_.stage = "searching";
    state_.origin.clear();
  });
}

void LiveRun::asks(int iteration) {
  change([&] {
    state_.iteration = iteration;
    state_.stage = "proposing";
    state_.candidate.clear();
    state_.origin.clear();
  });
}

void LiveRun::spent(const CallTotals &totals, double budgetUsd, bool isBilled) {
  change([&] {
    state_.cost = LiveCost{.inputTokens = totals.inputTokens,
                           .outputTokens = totals.outputTokens,
                           .calls = totals.calls,
                           .usd = totals.usd,
                           .budgetUsd = isBilled ? std::optional(budgetUsd) : std::nullopt};
  });
}

void LiveRun::started(int iteration, const Candidate &candidate) {
  change([&] {
    state_.iteration = iteration;
    state_.stage = stageName(Stage::Check);
    state_.candidate = candidate.id;
    state_.origin = firstLine(candidate.origin);
  });
}

void LiveRun::enters(Stage stage) {
  change([&] { state_.stage = stageName(stage); });
}

void LiveRun::countRejected(const Evaluation &evaluation) {
  if (const std::string by = rejectedBy(evaluation); !by.empty())
    ++state_.rejected[by];
}

void LiveRun::countMeasured(const Attempt &attempt) {
  if (attempt.evaluation.host.empty())
    return;
  LiveHost &host = state_.hosts[attempt.evaluation.host];
  ++host.measured;
  host.candidate = attempt.candidate.id;
}

void LiveRun::evaluated(const Attempt &attempt, bool becameIncumbent, double bestRatio) {
  change([&] {
    countRejected(attempt.evaluation);
    countMeasured(attempt);
    state_.bestSoFar.push_back(bestRatio);
    if (!becameIncumbent)
      return;
    state_.bestCandidate = attempt.candidate.id;
    if (attempt.evaluation.measurement)
      state_.best = attempt.evaluation.measurement->speedup;
  });
}

void LiveRun::unusable() {
  change([&] {
    ++state_.rejected[kRejectedReply];
    state_.bestSoFar.push_back(state_.bestSoFar.empty() ? 1 : state_.bestSoFar.back());
  });
}

void LiveRun::confirming(const Candidate &candidate) {
  change([&] {
    state_.stage = stageName(Stage::Confirm);
    state_.candidate = candidate.id;
    state_.origin = firstLine(candidate.origin);
  });
}

void LiveRun::confirmed(const Evaluation &evaluation) {
  change([&] {
    countRejected(evaluation);
    if (evaluation.verdict == Verdict::Accepted && evaluation.measurement)
      state_.best = evaluation.measurement->speedup;
  });
}

void LiveRun::does(const std::string &what) {
  change([&] {
    state_.stage = std::string(trim(firstLine(what)));
    state_.candidate.clear();
    state_.origin.clear();
  });
}

std::vector<LiveLine> LiveRun::lines(const LiveSize &size) {
  const std::lock_guard lock(mutex_);
  state_.secondsUsed = budget_.used();
  state_.secondsLeft = budget_.left();
  state_.isStopping = interrupted();
  return liveLines(state_, size);
}

} // namespace agentic
