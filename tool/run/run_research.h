// What the researcher of a run may look up: the patterns that ship, and the project's index of sources.
#pragma once

#include "tool/agent/research_sources.h"
#include "tool/base/error.h"
#include "tool/evaluate/insight/insight.h"
#include "tool/run/surroundings.h"

#include <functional>
#include <optional>
#include <string>

namespace agentic {

class Evaluator;

struct ResearchSettings {
  std::string model; ///< the researcher's; one of `replay:` is told what its recording was told, whatever is there now
  bool isBlind = false;                ///< it hears nothing of the machine: the bound is not measured
  std::optional<Insight> insight = {}; ///< what researchInsight() found; nullopt: it is measured when it is asked for
  std::function<void(const std::string &what)> warn = {}; ///< why something cannot be looked up; may be empty
};

/// Measures what limits the unchanged kernel: seconds.
Result<Insight> researchInsight(Evaluator &evaluator, const std::string &rooflineFile);

/// Evaluator and surroundings outlive the result.
ResearchSources researchSources(ResearchSettings settings, Evaluator &evaluator, const Surroundings &surroundings);

} // namespace agentic
