// The view of one run in progress. The calls come in the order below, from the run's thread.
#pragma once

#include "tool/model/call_totals.h"
#include "tool/model/run_config.h"
#include "tool/model/search_branch.h"
#include "tool/model/stages.h"
#include "tool/run/messages.h"
#include "tool/search/run_event.h"

#include <string>
#include <vector>

namespace agentic {

class Evaluator;
class RunBudget;
struct RunRecord;

struct RunHeading {
  std::string kernel;
  std::string agents; ///< their labels
  int maxIterations = 0;
};

class RunView {
public:
  virtual ~RunView() = default;
  virtual Messages &messages() = 0;

  /// `budget` has started and lives until ends().
  virtual void begins(const RunHeading &heading, const RunBudget &budget) = 0;
  virtual void prepared(const Evaluator &evaluator) = 0;
  virtual void searches(const RunRecord &record) = 0; ///< `record` has the results of an interrupted run
  /// At any time between begins() and ends():
  virtual void enters(Stage stage) = 0;
  virtual void does(const std::string &what) = 0; ///< any other work, until the next stage
  virtual void spent(const CallTotals &totals, double budgetUsd, bool isBilled) = 0;
  virtual void happened(const RunEvent &event) = 0;
  virtual void branches(const std::vector<SearchBranch> &) {} ///< of a strategy that has any; after each iteration

  virtual void ends() = 0; ///< also without begins()
};

} // namespace agentic
