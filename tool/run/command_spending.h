// What the runs of one command share: --budget-usd is of all of them.
#pragma once

#include "tool/model/call_totals.h"
#include "tool/model/run_config.h"

#include <optional>

namespace agentic {

struct CommandSpending {
  double usd = 0;                  ///< by those that have ended; of a resumed one also what it spent before
  double unforeseenUsd = 0;        ///< CallTotals::unforeseenUsd
  std::optional<double> budgetUsd; ///< of the run that was resumed: it goes for those after it, too
  bool isKnown = true;             ///< false: the last one was to be resumed and failed before its record was read

  /// A run that has ended, however it did. `isRead`: its record was, if it was resumed.
  void add(const ModelConfig &model, const CallTotals &calls, bool isResumed, bool isRead);
};

} // namespace agentic
