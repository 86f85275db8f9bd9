// The built-in search: proposes recipes of source transformations. No model, no network.
#pragma once

#include "tool/agent/agent.h"
#include "tool/agent/strategy.h"
#include "tool/source/transform/transform.h"

#include <memory>

namespace agentic {

/// Returns what the moves may do on this kernel.
TransformOptions transformOptions(const RunState &state);

class BuiltinAgent : public Agent {
public:
  /// The text that recipes are applied to: the function as written (or the run's start), or the run's incumbent at the
  /// first request, which is then another agent's candidate.
  enum class From { Start, Best };
  explicit BuiltinAgent(From from = From::Start, const StrategyRow &strategy = *allStrategies().front())
      : from_(from), makeStrategy_(strategy.make) {}

  /// Returns at most four candidates, best guess first; none when every choice was tried. Errors: the kernel cannot be
  /// parsed.
  Result<Proposal> propose(const RunState &state) override;

private:
  Result<Proposal> proposeFrom(const RunState &state, const std::string &origin);
  Result<void> prepare(const RunState &state);
  From from_;
  decltype(StrategyRow::make) makeStrategy_;
  std::unique_ptr<Transformer> transformer_;
  std::unique_ptr<Strategy> strategy_;
  std::string preparedFor_; ///< family, kernel, start and seed
};

} // namespace agentic
