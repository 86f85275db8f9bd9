// Sums over calls of models. Plain data.
#pragma once

#include "tool/base/money.h"

#include <algorithm>
#include <cstdint>

namespace agentic {

/// Totals over all calls, those of earlier processes of a run included.
struct CallTotals {
  int calls = 0, answered = 0;
  double usd = 0, wattHours = 0, seconds = 0;
  double unforeseenUsd = 0; ///< cost of the dearest call that cost more than its reservation: the next call may, too
  std::int64_t inputTokens = 0, cachedInputTokens = 0, outputTokens = 0;
};

inline CallTotals sum(const CallTotals &a, const CallTotals &b) {
  return {.calls = a.calls + b.calls,
          .answered = a.answered + b.answered,
          .usd = sumUsd(a.usd, b.usd),
          .wattHours = a.wattHours + b.wattHours,
          .seconds = a.seconds + b.seconds,
          .unforeseenUsd = std::max(a.unforeseenUsd, b.unforeseenUsd),
          .inputTokens = a.inputTokens + b.inputTokens,
          .cachedInputTokens = a.cachedInputTokens + b.cachedInputTokens,
          .outputTokens = a.outputTokens + b.outputTokens};
}

} // namespace agentic
