// What a model is told after a try: the verdict with what led to it, and what the budget still allows.
//
// It is made from the evaluation alone, which holds no test code, no expected value and no source line but the
// candidate's own (build/compile.h, evaluate/test_stage.h); here it is made printable and bounded.
#pragma once

#include "tool/model/run_state.h"

#include <cstddef>
#include <optional>
#include <string>

namespace agentic {

inline constexpr std::size_t kFeedbackBytes = 4096;
inline constexpr std::size_t kInsightBytes = 2048; ///< of that, for compiler and object code

/// Of one attempt, as sentences. `name`: how the model called its file; its positions in diagnostics are named so.
/// ≤ `most` bytes.
std::string verdictText(const Attempt &attempt, int number, const std::string &name, std::size_t most = kFeedbackBytes);

/// What a run may still use; nullopt = it has no limit.
struct BudgetLeft {
  std::optional<int> tries;
  std::optional<double> seconds, usd;
};

/// "The budget that is left: 12 tries, 4 minutes, $1.20." Empty without any limit.
std::string budgetText(const BudgetLeft &left);

/// "The baseline takes 231 ms." Empty where nothing is measured.
std::string baselineText(const RunState &state);

/// "In the benchmark: M = 32, K = 3072." Empty if nothing is known.
std::string shapesText(const RunState &state);

} // namespace agentic
