// What is confirmed at the end of a run: which candidate, and in which text.
#pragma once

#include "tool/model/agent.h"
#include "tool/search/journal.h"
#include "tool/search/run_event.h"
#include "tool/search/shortening.h"

#include <functional>
#include <optional>
#include <string>

namespace agentic {

/// Returns the accepted candidate that is to be confirmed next: the incumbent, or the fastest that was not refused. Of
/// those with its object code, the shortest text; but `fresh`, the id of a checked-in variant, stays. nullopt: none is
/// left.
std::optional<Candidate> likeliestWinner(const RunRecord &record, const std::string &fresh);

/// The end of a run, for what is confirmed in a winner's place.
struct WinnerRun {
  Evaluator &evaluator;
  Agent &agent;
  Journal &journal;
  const ShorteningSettings &settings;
  std::function<RunState()> state;
  std::function<bool()> isCancelled;
  std::function<double()> secondsUsed; ///< of the whole run, for the journal
  const RunListener &listener;
};

/// What is confirmed in a winner's place.
struct StandIn {
  Candidate candidate;
  std::string shortening = {}, review = {}; ///< Shortened::summary
};

/// Returns the winner as it is confirmed: shortened and reviewed, as far as there is time and what came of it was not
/// refused; as an earlier process of the run found it, or as it is found now. Every step is journaled, so that an
/// interrupted run goes on with the next.
Result<StandIn> standInFor(const Candidate &winner, const WinnerRun &run);

} // namespace agentic
