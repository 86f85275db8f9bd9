// A model that researches a kernel before there is a run: `research --agent`.
#pragma once

#include "tool/agent/hypotheses.h"
#include "tool/base/error.h"
#include "tool/base/lock_file.h"
#include "tool/model/manifest.h"
#include "tool/model/run_config.h"
#include "tool/run/llm_options.h"
#include "tool/run/messages.h"
#include "tool/run/run_agents.h"
#include "tool/run/surroundings.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

class LoneResearcher {
public:
  /// `messages` and `surroundings` outlive it.
  LoneResearcher(Messages &messages, const Surroundings &surroundings)
      : messages_(messages), surroundings_(surroundings) {}

  /// Finds the model and asks for consent to pay, before anything is prepared. `folder`: has what it writes,
  /// `hypotheses.md`, which a person may edit and which it then does not write over, and in `model` its calls: what was
  /// answered before it was interrupted is not asked again. Errors: the agent asks no model, or is several; the file
  /// was edited; another process is asking; those of RunAgents::open().
  Result<void> open(const std::string &agent, const LlmOptions &options, const Manifest &manifest,
                    const std::string &folder);

  /// Asks, and writes the file. `insight`: what researchInsight() found. Errors: there is no hypothesis, the model
  /// cannot be asked, interrupted.
  Result<std::vector<Hypothesis>> ask(Evaluator &evaluator, Insight insight);

  std::string file() const { return folder_ + "/hypotheses.md"; }
  const std::string &name() const { return config_.agent; }
  CallTotals totals() const { return agents_.totals().value_or(CallTotals()); }

private:
  std::string records() const { return folder_ + "/model"; }
  std::string written() const { return records() + "/hypotheses.md"; } ///< a copy of the file
  Result<void> takeFolder();
  Messages &messages_;
  const Surroundings &surroundings_;
  std::string folder_;
  std::optional<LockFile> lock_;
  RunConfig config_;
  RunAgents agents_;
};

} // namespace agentic
