// Several agents in one run: chooses whose turn it is, and handles an agent that stops.
//
// The choice is a fold over the run's journal alone, so that a resumed run continues exactly: the set remembers no
// turns. All agents see all attempts; each sees only its own calls as its own.
#pragma once

#include "tool/base/error.h"
#include "tool/model/agent.h"
#include "tool/model/run_state.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Turn: one after the other. Gain: most often the agent with the largest gain per dollar.
enum class AgentChoice { Turn, Gain };

/// Returns the index of the next agent; `active` has as many elements as `labels`, and one of them is true. In turn:
/// the next after the last one. By gain: each has two turns first; then (0.01 + its gain) / (its dollars + 0.001 per
/// turn) decides, so that turns are divided in proportion to gain per dollar, an agent without costs counts as cheap
/// rather than as free, and one without a gain yet is asked again in time. Equal ones: fewer turns, then the order.
/// Pure.
std::size_t nextAgent(const std::vector<std::string> &labels, const std::vector<bool> &active, const RunState &state,
                      AgentChoice choice);

/// The time at which a member is asked: with the others, or before or after them (search/seeding.h).
enum class AgentPart { Turn, Seed, Polish };

struct AgentMember {
  std::string label;
  std::unique_ptr<Agent> agent;
  std::function<double()> usd; ///< spent so far; empty: it costs nothing
  AgentPart part = AgentPart::Turn;
};

class AgentSet : public Agent {
public:
  /// `stopped` hears why a member leaves while others go on.
  AgentSet(std::vector<AgentMember> members, AgentChoice choice,
           std::function<void(const std::string &why)> stopped = {});

  /// Returns the proposal of the member whose turn it is. A member that has nothing more to try, stops or cannot be
  /// asked leaves for the rest of this process; the set stops with the last of them. Errors: bugs and interruption at
  /// once; the user's errors if no member ever proposed anything.
  Result<Proposal> propose(const RunState &state) override;

  /// Those that are in flight count as turns. A member that cannot begin while something is ahead lets the next begin.
  Result<Begun> begin(const RunState &state, const std::function<void()> &isReady) override;

  /// Asks whoever proposed the winner, else the first who reviews.
  Result<std::optional<Review>> review(const RunState &state, const ReviewQuestion &question) override;

private:
  std::vector<bool> askable(const RunState &state) const;
  /// Returns the state as this member sees it: other members' calls are not its own.
  RunState ownState(const RunState &state, std::size_t at) const;
  Result<std::optional<Proposal>> taken(std::size_t at, Result<std::optional<Proposal>> proposal);
  void leaves(std::size_t at, const Result<std::string> &stop);
  Result<std::string> whyNobody(const RunState &state) const;
  std::vector<AgentMember> members_;
  AgentChoice choice_;
  std::function<void(const std::string &)> stopped_;
  std::vector<bool> active_;
  std::vector<std::string> labels_, reasons_;
  std::optional<Error> failure_; ///< the last member's that could not be asked
};

} // namespace agentic
