// The state of a run that a strategy drives, with verdicts from the test: nothing is asked and nothing measured.
#pragma once

#include "tool/search/ask_strategy.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace agentic {

inline AskStrategy strategyOf(std::string_view text) {
  auto strategy = parseAskStrategy(text);
  EXPECT_TRUE(strategy) << text;
  return *strategy;
}

class AskedRun {
public:
  explicit AskedRun(std::string_view strategy) : strategy_(strategyOf(strategy)) {}

  Ask next() const { return strategy_.next(state); }

  /// Answers the next ask: with a candidate of this speedup over the baseline, rejected if it is 0; below 0: without
  /// one. Returns the ask.
  Ask answer(double ratio) {
    const Ask ask = next();
    Asked &asked = state.asked.emplace_back(Asked{ask, {}});
    ++state.iterations;
    if (ratio < 0)
      return ask;
    asked.candidates = {"c" + std::to_string(state.asked.size())};
    attempt(asked.candidates.front(), ratio);
    return ask;
  }

  /// Adds an attempt that no strategy asked for, or the answer to the last ask.
  void attempt(const std::string &id, double ratio) {
    Attempt attempt{.candidate = {.id = id, .text = "text of " + id, .origin = "", .parent = ""}, .evaluation = {}};
    Evaluation &evaluation = attempt.evaluation;
    evaluation.stage = ratio > 0 ? Stage::Benchmark : Stage::Test;
    if (ratio > 0) {
      const bool isFirst = !state.incumbent;
      attempt.becameBest = ratio > best_ * 1.02;
      evaluation.verdict = attempt.becameBest ? Verdict::Accepted : Verdict::NotFaster;
      if (!isFirst)
        evaluation.againstIncumbent = measurement(ratio / best_, attempt.becameBest);
      if (isFirst || attempt.becameBest)
        evaluation.measurement = measurement(ratio, attempt.becameBest);
    }
    state.attempts.push_back(attempt);
    if (!attempt.becameBest)
      return;
    state.incumbent = state.attempts.size() - 1;
    state.bestRatio = best_ = ratio;
  }

  RunState state;

private:
  static Measurement measurement(double ratio, bool isFaster) {
    return {.comparison = isFaster ? Comparison::Faster : Comparison::Same,
            .speedup = {.ratio = ratio, .low = ratio * 0.99, .high = ratio * 1.01}};
  }

  AskStrategy strategy_;
  double best_ = 1;
};

} // namespace agentic
