// The proposals in flight of a search with --parallel, and that search.
#pragma once

#include "tool/model/agent.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Of the loop's thread; proposals become ready in any.
class AskQueue {
public:
  explicit AskQueue(Agent &agent) : agent_(agent) {}

  std::size_t size() const { return flights_.size(); }
  /// Returns whether one of those that are not ready may keep this machine busy.
  bool isBusyHere() const;
  bool isReady() const;

  /// Adds what is in flight, and the candidates without a verdict, to the loop's state.
  RunState ahead(RunState state, const std::deque<Candidate> &waiting) const;

  /// Begins one more. False: none can begin now; `stop` says why.
  Result<bool> begin(const RunState &state, std::string &stop);
  /// Waits until one is ready; there must be one in flight.
  void wait();
  /// Takes the first that became ready; there must be one. nullopt: nothing came of it.
  Result<std::optional<Proposal>> take(const RunState &state);

private:
  Agent &agent_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> ready_; ///< numbers, in the order in which they became ready
  int next_ = 0;
  std::map<int, ProposalInFlight> flights_; ///< by number, in the order of their begins; the first to be destroyed
};

/// What the loop does for searchAhead().
struct SearchSteps {
  std::function<RunState()> state;
  /// Returns whether the budget permits more. `isOpening`: nothing was tried, so that time does not count yet.
  std::function<bool(bool isOpening)> mayGoOn;
  std::function<Result<void>(const Proposal &proposal)> proposed;
  /// These come after the one that is tried next, as they are.
  std::function<void(const std::vector<Candidate> &next)> expects;
  std::function<Result<bool>(const Candidate &candidate)> tries; ///< evaluates it. False: the search is over
  std::function<void()> waits;                                   ///< there is nothing to do but to wait for answers
};

/// Searches with up to `most` proposals in flight, while the candidates that are there are evaluated, one at a time and
/// in the order in which their proposals became ready. None begins while twice as many candidates wait, so that
/// questions do not run far ahead of the verdicts. An agent that has a reason not to begin while something is ahead is asked again later.
/// Returns why the agent stopped (empty: it has nothing more to try), or nullopt if the loop's steps ended the search:
/// what is in flight is then cancelled.
Result<std::optional<std::string>> searchAhead(Agent &agent, int most, const SearchSteps &steps);

} // namespace agentic
