// Runs strategies of the tool (search/ask_strategy.h) over simulated models: each ask of a strategy is answered by one,
// judged with noise as a search judges, and told to the strategy as the loop tells it. Nothing is compiled.
#pragma once

#include "tests/cost/strategies/landscape.h"
#include "tool/search/ask_strategy.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace agentic::cost {

/// The best so far after each call, as the true logarithm of its speedup; 0 while nothing is faster than the baseline.
using Curve = std::vector<double>;

/// One of a sequence of kernels that have approaches in common.
struct RelatedKernel {
  const SharedGains *shared = nullptr;
  const Advice *advice = nullptr;                               ///< of the kernels before it; null: no memory
  std::function<void(const Attempt &, int approach)> sees = {}; ///< is told of each correct file
};

Curve simulate(const AskStrategy &strategy, const FittedModel &model, const Assumptions &assumptions,
               std::uint64_t seed, int calls, const RelatedKernel &kernel = {});

/// Returns how many calls a run needed to reach a speed; one more than it had if it never did.
double callsUntil(const Curve &curve, double speed);

inline constexpr double kReached = 0.9; ///< of the best speedup counts as having reached it

/// A mean with a 95 % interval, over seeds.
struct Estimate {
  double mean = 0, low = 0, high = 0;
};
Estimate estimateOf(std::span<const double> values);

/// What one strategy reached in the runs of all models.
struct StrategyResult {
  std::string strategy;
  Estimate speedup;  ///< at the end: geometric mean over the models
  Estimate toLinear; ///< that over the same of the first strategy, by seed
  Estimate calls; ///< until 90 % of the best that any strategy reached with this model and seed; `calls` + 1 if never
};

/// Runs each strategy with each model and each seed from 1 to `seeds`. Models that never reached anything count in the
/// speedups, and not in the calls.
std::vector<StrategyResult> compareStrategies(const std::vector<AskStrategy> &strategies,
                                              const std::vector<std::string> &names,
                                              const std::vector<FittedModel> &models, const Assumptions &assumptions,
                                              int seeds, int calls);

/// Returns how far the conversation of the simulated models is from that of the real ones: the mean square of the
/// difference of the logarithms of the best of the first 8, the first 16 and all files, over the models that have any
/// correct file.
double misfit(const std::vector<FittedModel> &models, const Assumptions &assumptions, int seeds);

} // namespace agentic::cost
