// One optimize run in the live area: the run feeds it, the drawing thread reads it.
#pragma once

#include "tool/agent/call_log.h"
#include "tool/cli/console.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/run_config.h"
#include "tool/report/live_view.h"
#include "tool/run/run_budget.h"
#include "tool/run/run_view.h"
#include "tool/search/journal.h"
#include "tool/search/optimize.h"

#include <mutex>
#include <string>
#include <vector>

namespace agentic {

/// Its area is on the screen during its life. Console and budget must outlive it; the budget must have started.
class LiveRun : public LiveSource {
public:
  LiveRun(Console &console, const RunBudget &budget, const RunHeading &heading);
  ~LiveRun() override { console_.endLive(); }
  LiveRun(const LiveRun &) = delete;
  LiveRun &operator=(const LiveRun &) = delete;

  void prepared(const Evaluator &evaluator);
  void begins(const RunRecord &record); ///< the search begins: `record` has the results of an interrupted run
  void asks(int iteration);             ///< asks the agent for a candidate
  void spent(const CallTotals &totals, double budgetUsd, bool isBilled);
  void started(int iteration, const Candidate &candidate);
  void enters(Stage stage);
  void evaluated(const Attempt &attempt, bool becameIncumbent, double bestRatio);
  void unusable();
  void branches(const std::vector<SearchBranch> &branches) {
    change([&] { state_.branches = branches; });
  }
  void confirming(const Candidate &candidate);
  void confirmed(const Evaluation &evaluation);
  void does(const std::string &what); ///< any other work, until the next stage

  std::vector<LiveLine> lines(const LiveSize &size) override;
  void activity(const std::string &what) override { does(what); }

private:
  template <class Change> void change(const Change &make) {
    {
      const std::lock_guard lock(mutex_);
      make();
    }
    console_.liveChanged();
  }
  void countRejected(const Evaluation &evaluation);
  void countMeasured(const Attempt &attempt); ///< by its host

  Console &console_;
  const RunBudget &budget_;
  std::mutex mutex_;
  LiveState state_;
};

} // namespace agentic
