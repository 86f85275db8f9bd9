// The options of agents that ask a language model, as they are given.
#pragma once

#include "tool/base/error.h"
#include "tool/model/run_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// As given; what was not is the project's, the resumed run's or the default.
struct LlmOptions {
  std::optional<double> budgetUsd, watts, usdPerKwh, temperature, callSeconds;
  std::optional<int> maxFailures, maxOutputTokens;
  std::optional<std::int64_t> contextTokens;
  std::optional<std::string> history, protocol, promptDir, hintFile, stopFile, effort, feedback;
  std::string recordFile, pricesFile;
  bool blind = false, allowUnknownPrice = false, yes = false;
  int budgets = 1; ///< agents of this command that have a budget each: for the question whether to pay

  /// The names of those that were given.
  std::vector<std::string> given() const;

  /// What was given, over `config`. Errors: a hint or prices that cannot be read.
  Result<void> settle(ModelConfig &config) const;
};

/// Without "." and ".."; nothing need exist there.
std::string absolutePath(const std::string &path);

} // namespace agentic
