// Feedback for a model after a try: the verdict with its reasons, and the rest of the budget.
//
// It uses only the evaluation, which holds no test code, no expected value and no source line but the candidate's own
// (build/compile.h, evaluate/test_stage.h), and makes it printable and bounded.
#pragma once

#include "tool/model/run_state.h"

#include <cstddef>
#include <optional>
#include <string>

namespace agentic {

inline constexpr std::size_t kFeedbackBytes = 4096;
inline constexpr std::size_t kInsightBytes = 2048; ///< part of kFeedbackBytes for compiler and object code

/// Describes one attempt in sentences. `name`: the model's name of its file, used for positions in diagnostics. ≤
/// `most` bytes.
std::string verdictText(const Attempt &attempt, int number, const std::string &name, std::size_t most = kFeedbackBytes);

/// The rest of a run's budget; nullopt = no limit.
struct BudgetLeft {
  std::optional<int> tries;
  std::optional<double> seconds, usd;
};

/// Returns "The budget that is left: 12 tries, 4 minutes, $1.20." Empty without any limit.
std::string budgetText(const BudgetLeft &left);

/// Returns "The baseline takes 231 ms." Empty if nothing is measured.
std::string baselineText(const RunState &state);

/// Returns "In the benchmark: M = 32, K = 3072." Empty if nothing is known.
std::string shapesText(const RunState &state);

} // namespace agentic
