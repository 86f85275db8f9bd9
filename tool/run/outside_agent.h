// An agent whose proposals come from outside of the run, at times of their own: a client of the MCP server. The run
// judges them like those of any other agent.
#pragma once

#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/agent.h"
#include "tool/search/withdrawal.h"

#include <atomic>

namespace agentic {

/// Name of the agent in the run's records.
inline constexpr const char *kOutsideAgent = "mcp";

class OutsideAgent : public Agent {
public:
  /// Called once everything is prepared, before the run has a journal; may wait for the first proposal and use the
  /// evaluator meanwhile. Both arguments outlive the run. An error ends the run.
  virtual Result<void> prepared(Evaluator &evaluator, Withdrawal &withdrawal) = 0;
  /// Whether the end of the search was taken back: an interrupted run then goes on to search when it is continued.
  virtual bool searchesAgain() const = 0;
};

} // namespace agentic
