// The interface between the loop and the agents: search/ drives an Agent, agent/ implements them, and neither knows the
// other.
#pragma once

#include "tool/base/error.h"
#include "tool/model/ask.h"
#include "tool/model/candidate.h"
#include "tool/model/role.h"
#include "tool/model/run_state.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct Proposal {
  std::vector<Candidate> candidates; ///< empty = nothing more to try: the run ends, unless `isUnusable`
  std::string note;                  ///< for the journal: refused moves, what is being searched
  int call = 0;                      ///< number of the model call that these candidates answer; 0 = none
  bool isUnusable = false;        ///< a reply without a usable candidate: counts as an iteration, and the run goes on
  std::string stop;               ///< without candidates: why the run ends; empty = nothing more to try
  std::string agent;              ///< label of the agent whose turn it was; empty: there is only one
  double usd = 0;                 ///< what that agent spent so far, in this run
  std::optional<Ask> ask;         ///< what the agent was asked for; nullopt: no strategy decided that
  std::vector<Opinion> judged;    ///< what its judge said of this proposal's candidates, dropped ones included
  std::vector<Summary> summaries; ///< what its summarizer said since the last proposal
};

/// The name of the built-in search, and the beginning of its candidates' `origin`: the recipe's text follows, so that
/// the journal is all the state there is. A polish is a recipe over another candidate: "polish of <id>: <recipe>".
inline constexpr std::string_view kBuiltinAgent = "builtin", kBuiltinOrigin = "builtin: ", kPolishOrigin = "polish of ";

/// Ask/tell: propose() sees every earlier outcome in the state and never evaluates by itself. Deterministic for a given
/// state and seed.
class Agent {
public:
  virtual ~Agent() = default;
  virtual Result<Proposal> propose(const RunState &state) = 0;
};

} // namespace agentic
