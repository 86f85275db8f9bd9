// The command-line options of agents that ask a language model.
#pragma once

#include "tool/base/error.h"
#include "tool/model/run_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// The options as given; the others are the project's, the resumed run's or the default.
struct LlmOptions {
  std::optional<double> budgetUsd, watts, usdPerKwh, temperature, callSeconds;
  std::optional<int> maxFailures, maxOutputTokens, parallel;
  std::optional<std::int64_t> contextTokens;
  std::optional<std::string> strategy, roles, roleTemperatures, menuDropouts, memory, history, protocol, promptDir,
      hintFile, hypothesesFile, stopFile, effort, feedback;
  std::string recordFile, pricesFile;
  bool blind = false, allowUnknownPrice = false, yes = false;
  bool research = false; ///< the role researcher, on the agent's own model unless `roles` names another
  int budgets = 1;       ///< agents of this command with a budget of their own: for the question whether to pay

  /// Returns the names of the given options.
  std::vector<std::string> given() const;

  /// Applies the given options to `config`. Errors: a strategy, a role or a memory that there is not, a hint,
  /// hypotheses or prices that cannot be read, hypotheses beside a researcher or with several calls at once.
  Result<void> settle(ModelConfig &config) const;
};

/// Returns the path without "." and ".."; nothing need exist there.
std::string absolutePath(const std::string &path);

} // namespace agentic
