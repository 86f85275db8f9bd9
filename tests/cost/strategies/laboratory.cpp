#include "tests/cost/strategies/laboratory.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace agentic::cost {
namespace {

constexpr double kNoise = 0.005;    ///< of the logarithm of a measured ratio
constexpr double kThreshold = 1.02; ///< a smaller gain does not count

class Simulation {
public:
  Simulation(const FittedModel &model, const Assumptions &assumptions, std::uint64_t seed, int calls,
             const RelatedKernel &kernel)
      : model_(model, assumptions, seed, kernel.shared), luck_(seed * 7919 + 17), kernel_(kernel) {
    state_.seed = seed;
    state_.iterationsLeft = calls;
  }

  Curve run(const AskStrategy &strategy, int calls) {
    Curve curve;
    for (int call = 0; call < calls; ++call) {
      Ask ask = strategy.next(state_);
      if (ask.stop.empty())
        take(ask, model_.answer(questionFor(ask)));
      ++state_.iterations;
      --*state_.iterationsLeft;
      curve.push_back(best_ ? std::max(0.0, best_->speed) : 0);
    }
    return curve;
  }

private:
  /// In one conversation a model sees the best and the latest file: it goes on from either.
  Question questionFor(const Ask &ask) {
    Question question{.parent = std::nullopt, .isNewConversation = !ask.strategy.empty(), .advice = kernel_.advice};
    const bool takesLast = luck_.uniform() < 0.5;
    if (ask.strategy.empty())
      question.parent = takesLast && last_ ? last_ : best_ ? best_ : last_;
    else if (const auto parent = files_.find(ask.parent); parent != files_.end())
      question.parent = parent->second;
    return question;
  }

  static Measurement measured(double ratio, bool isFaster) {
    return {.comparison = isFaster ? Comparison::Faster : Comparison::Same,
            .speedup = {.ratio = ratio, .low = ratio * 0.99, .high = ratio * 1.01}};
  }

  void take(const Ask &ask, const SimulatedAnswer &answer) {
    const double noise = kNoise * luck_.normal();
    const std::string id = "c" + std::to_string(state_.attempts.size() + 1);
    Attempt attempt{.candidate = {.id = id, .text = "", .origin = "", .parent = ask.parent}, .evaluation = {}};
    Evaluation &evaluation = attempt.evaluation;
    evaluation.stage = answer.correct ? Stage::Benchmark : answer.compiles ? Stage::Test : Stage::Compile;
    if (answer.correct) {
      const double ratio = std::exp(answer.correct->speed - (best_ ? best_->speed : 0) + noise);
      attempt.becameBest = ratio > kThreshold;
      evaluation.verdict = attempt.becameBest ? Verdict::Accepted : Verdict::NotFaster;
      if (best_)
        evaluation.againstIncumbent = measured(ratio, attempt.becameBest);
      if (!best_ || attempt.becameBest)
        evaluation.measurement = measured(std::exp(answer.correct->speed + noise), attempt.becameBest);
      evaluation.traits = {"kind " + std::to_string(answer.correct->kind)};
      files_[id] = *answer.correct;
      last_ = answer.correct;
      if (kernel_.sees)
        kernel_.sees(attempt, answer.correct->kind);
    }
    if (!ask.strategy.empty())
      state_.asked.push_back({ask, {id}});
    state_.attempts.push_back(std::move(attempt));
    if (!state_.attempts.back().becameBest)
      return;
    best_ = answer.correct;
    state_.incumbent = state_.attempts.size() - 1;
    state_.bestRatio = state_.attempts.back().evaluation.measurement->speedup.ratio;
  }

  SimulatedModel model_;
  Draws luck_;
  const RelatedKernel &kernel_;
  RunState state_;
  std::map<std::string, SimulatedFile> files_;
  std::optional<SimulatedFile> best_, last_;
};

} // namespace

Curve simulate(const AskStrategy &strategy, const FittedModel &model, const Assumptions &assumptions,
               std::uint64_t seed, int calls, const RelatedKernel &kernel) {
  return Simulation(model, assumptions, seed, calls, kernel).run(strategy, calls);
}

double callsUntil(const Curve &curve, double speed) {
  const auto reached = std::ranges::find_if(curve, [&](double best) { return best >= speed; });
  return static_cast<double>(reached - curve.begin()) + 1;
}

Estimate estimateOf(std::span<const double> values) {
  if (values.empty())
    return {};
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values)
    sum += value;
  const double mean = sum / count;
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  const double half = values.size() > 1 ? 1.96 * std::sqrt(squares / (count - 1) / count) : 0;
  return {mean, mean - half, mean + half};
}

std::vector<StrategyResult> compareStrategies(const std::vector<AskStrategy> &strategies,
                                              const std::vector<std::string> &names,
                                              const std::vector<FittedModel> &models, const Assumptions &assumptions,
                                              int seeds, int calls) {
  struct Values {
    std::vector<double> speed, toLinear, calls; // by seed
  };
  std::vector<Values> all(strategies.size());
  for (int seed = 1; seed <= seeds; ++seed) {
    std::vector<double> speed(strategies.size()), until(strategies.size());
    int counted = 0;
    for (std::size_t m = 0; m < models.size(); ++m) {
      std::vector<Curve> curves;
      double best = 0;
      for (const AskStrategy &strategy : strategies) {
        curves.push_back(simulate(strategy, models[m], assumptions, std::uint64_t(seed) * 1000 + m, calls));
        best = std::max(best, curves.back().back());
      }
      counted += best > 0 ? 1 : 0;
      for (std::size_t s = 0; s < strategies.size(); ++s) {
        speed[s] += curves[s].back() / double(models.size());
        until[s] += best > 0 ? callsUntil(curves[s], best + std::log(kReached)) : 0;
      }
    }
    for (std::size_t s = 0; s < strategies.size(); ++s) {
      all[s].speed.push_back(speed[s]);
      all[s].toLinear.push_back(speed[s] - speed[0]);
      if (counted > 0)
        all[s].calls.push_back(until[s] / counted);
    }
  }
  const auto asRatio = [](Estimate estimate) {
    return Estimate{std::exp(estimate.mean), std::exp(estimate.low), std::exp(estimate.high)};
  };
  std::vector<StrategyResult> results;
  for (std::size_t s = 0; s < strategies.size(); ++s)
    results.push_back(
        {names[s], asRatio(estimateOf(all[s].speed)), asRatio(estimateOf(all[s].toLinear)), estimateOf(all[s].calls)});
  return results;
}

double misfit(const std::vector<FittedModel> &models, const Assumptions &assumptions, int seeds) {
  const auto linear = parseAskStrategy("linear");
  double sum = 0;
  int count = 0;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const FittedModel &model = models[m];
    if (model.correct <= 0 || !linear)
      continue;
    const int at[] = {std::min(8, model.files), std::min(16, model.files), model.files};
    const double real[] = {model.best8, model.best16, model.best};
    double mean[3] = {};
    for (int seed = 1; seed <= seeds; ++seed) {
      const Curve curve = simulate(*linear, model, assumptions, std::uint64_t(seed) * 1000 + m, model.files);
      for (int k = 0; k < 3; ++k)
        mean[k] += curve[static_cast<std::size_t>(at[k] - 1)] / seeds;
    }
    for (int k = 0; k < 3; ++k, ++count)
      sum += std::pow(mean[k] - std::log(std::max(1.0, real[k])), 2);
  }
  return count > 0 ? sum / count : 0;
}

} // namespace agentic::cost
