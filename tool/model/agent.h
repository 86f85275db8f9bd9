// The interface between the loop and the agents: search/ drives an Agent, agent/ implements them, and neither knows the
// other.
#pragma once

#include "tool/base/error.h"
#include "tool/model/ask.h"
#include "tool/model/candidate.h"
#include "tool/model/role.h"
#include "tool/model/run_state.h"

#include <functional>
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

  /// Returns whether the agent has nothing more to try: the run ends.
  bool isStop() const { return candidates.empty() && !isUnusable; }
};

/// The name of the built-in search, and the beginning of its candidates' `origin`: the recipe's text follows, so that
/// the journal is all the state there is. A polish is a recipe over another candidate: "polish of <id>: <recipe>".
inline constexpr std::string_view kBuiltinAgent = "builtin", kBuiltinOrigin = "builtin: ", kPolishOrigin = "polish of ";

/// A proposal that is being made beside others. Its destruction cancels it.
struct ProposalInFlight {
  Ask ask = {};           ///< as Proposal::ask; without a strategy empty
  std::string agent = {}; ///< as Proposal::agent
  bool isHere = false;    ///< what makes it may keep this machine busy: nothing should be measured meanwhile
  /// Once it is ready. nullopt: nothing came of it, and the agent may begin it again in another form. A proposal that
  /// is a stop: nothing more should be begun.
  std::function<Result<std::optional<Proposal>>(const RunState &state)> take;
};

/// What came of Agent::begin().
struct Begun {
  std::optional<ProposalInFlight> flight;
  std::string stop = {}; ///< without `flight`: why not, as in Proposal. Final only if nothing is ahead of it.
};

/// What somebody is asked who makes a winner simpler to read.
struct ReviewQuestion {
  Candidate winner;                    ///< as it would be confirmed
  std::vector<std::string> notes = {}; ///< of the project's own clang-tidy on it
  std::optional<Attempt> refused = {}; ///< the first answer, which does not count; nullopt: nobody has answered yet
};

/// The answer. It accepts nothing: its text is judged like any other.
struct Review {
  std::string text; ///< a whole file; empty: there is nothing to make simpler, or no file in the answer
  std::string by;   ///< label of the model
};

/// Ask/tell: propose() sees every earlier outcome in the state and never evaluates by itself. Deterministic for a given
/// state and seed.
class Agent {
public:
  virtual ~Agent() = default;
  virtual Result<Proposal> propose(const RunState &state) = 0;

  /// Begins a proposal without waiting for it or for the outcomes that the state says are missing. `isReady` is called,
  /// in any thread, when a proposal in flight has become ready. Agents that need every outcome begin when none is
  /// missing, and are ready at once.
  virtual Result<Begun> begin(const RunState &state, const std::function<void()> &isReady);

  /// Asks for the winner of a search as a text that is simpler to read, within RunState::secondsLeft. nullopt: nobody
  /// reviews, or whoever does cannot be asked. Errors: as those of propose() that end a run; interrupted.
  virtual Result<std::optional<Review>> review(const RunState &state, const ReviewQuestion &question);
};

} // namespace agentic
