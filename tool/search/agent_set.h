// Several agents in one run: whose turn it is, and what happens when one of them stops.
//
// The choice is a fold over the run's journal alone, so that a resumed run goes on exactly: nothing here remembers a
// turn. All agents see all attempts; each sees only its own calls as its own.
#pragma once

#include "tool/base/error.h"
#include "tool/model/agent.h"
#include "tool/model/run_state.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace agentic {

/// In turn, or most often who gains most per dollar.
enum class AgentChoice { Turn, Gain };

/// Index of the next; `active` has as many elements as `labels`, and one of them is true. In turn: the next after the
/// last one. By gain: each has two turns first; then (0.01 + its gain) / (its dollars + 0.001 per turn) decides, so
/// that turns are shared out in proportion to gain per dollar, an agent that costs nothing counts as cheap rather than
/// as free, and one that gained nothing yet is asked again in time. Equal ones: fewer turns, then the order. Pure.
std::size_t nextAgent(const std::vector<std::string> &labels, const std::vector<bool> &active, const RunState &state,
                      AgentChoice choice);

/// When a member is asked: with the others, or before or after them (search/seeding.h).
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

  /// Of the member whose turn it is. One that has nothing more to try, stops or cannot be asked leaves for the rest of
  /// this process; the set stops with the last of them. Errors: bugs and interruption at once; what is the user's to
  /// mend if no member ever proposed anything.
  Result<Proposal> propose(const RunState &state) override;

private:
  std::vector<bool> askable(const RunState &state) const;
  std::vector<AgentMember> members_;
  AgentChoice choice_;
  std::function<void(const std::string &)> stopped_;
  std::vector<bool> active_;
  std::vector<std::string> labels_, reasons_;
};

} // namespace agentic
