#include "tool/run/command_spending.h"

#include "tool/base/money.h"

#include <algorithm>

namespace agentic {

void CommandSpending::add(const ModelConfig &model, const CallTotals &calls, bool isResumed, bool isRead) {
  usd = std::max(usd, sumUsd(model.spentBeforeUsd, calls.usd));
  unforeseenUsd = std::max({unforeseenUsd, model.unforeseenUsd, calls.unforeseenUsd});
  isKnown = !isResumed || isRead;
  if (isResumed && isKnown)
    budgetUsd = model.budgetUsd;
}

} // namespace agentic
