// The spending that the runs of one command share: --budget-usd limits all of them together.
#pragma once

#include "tool/model/call_totals.h"
#include "tool/model/run_config.h"

#include <optional>

namespace agentic {

struct CommandSpending {
  double usd = 0;                  ///< spent by ended runs; for a resumed one also its earlier spending
  double unforeseenUsd = 0;        ///< CallTotals::unforeseenUsd
  std::optional<double> budgetUsd; ///< budget of the resumed run: it applies to the later ones, too
  bool isKnown = true;             ///< false: the last run was to be resumed and failed before its record was read

  /// Adds a run that has ended in any way. `isRead`: its record was read, if it was resumed.
  void add(const ModelConfig &model, const CallTotals &calls, bool isResumed, bool isRead);
};

} // namespace agentic
