// The kernel to evaluate and the requirements of the evaluation: options of every subcommand that evaluates.
#pragma once

#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/run/messages.h"
#include "tool/run/surroundings.h"

#include <optional>
#include <string>

namespace agentic {

struct TargetOptions {
  std::string buildDir = ".";
  std::string kernel;
  std::string config;
  std::string level; ///< empty = the project's
  bool allowUnoptimized = false;
  bool requireSandbox = false;
  bool allowUncovered = false;
  std::optional<double> thresholdPercent; ///< smallest gain that counts
  std::optional<double> requireAdequate;  ///< percent of the mutants that the tests must notice
};

/// Makes options. Progress and warnings go to `messages`, which must outlive the evaluator.
EvaluatorOptions evaluatorOptions(const TargetOptions &target, Messages &messages, const Surroundings &surroundings);

std::string runsDirectory(const std::string &buildDir);

} // namespace agentic
