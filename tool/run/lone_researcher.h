// A model that researches a kernel before there is a run: `research --agent`.
#pragma once

#include "tool/agent/hypotheses.h"
#include "tool/base/error.h"
#include "tool/model/manifest.h"
#include "tool/model/run_config.h"
#include "tool/run/llm_options.h"
#include "tool/run/messages.h"
#include "tool/run/run_agents.h"
#include "tool/run/surroundings.h"

#include <string>
#include <vector>

namespace agentic {

class LoneResearcher {
public:
  /// `messages` and `surroundings` outlive it.
  LoneResearcher(Messages &messages, const Surroundings &surroundings)
      : messages_(messages), surroundings_(surroundings) {}

  /// Finds the model and asks for consent to pay, before anything is prepared. Errors: the agent asks no model, or is
  /// several; those of RunAgents::open().
  Result<void> open(const std::string &agent, const LlmOptions &options, const Manifest &manifest);

  /// Asks; its calls are recorded in `folder`, in the place of earlier ones. Errors: it has no hypothesis, it cannot be
  /// asked, interrupted.
  Result<std::vector<Hypothesis>> ask(Evaluator &evaluator, const std::string &folder);

  const std::string &name() const { return config_.agent; }
  CallTotals totals() const { return agents_.totals().value_or(CallTotals()); }

private:
  Messages &messages_;
  const Surroundings &surroundings_;
  RunConfig config_;
  RunAgents agents_;
};

} // namespace agentic
