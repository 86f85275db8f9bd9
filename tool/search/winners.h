// What is confirmed at the end of a run: which candidate, and in which text.
#pragma once

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

struct ShorteningRun {
  std::function<bool()> isCancelled;
  std::function<double()> secondsUsed; ///< of the whole run, for the journal
  const RunListener &listener;
};

/// Returns what is confirmed in the winner's place: what an earlier process of the run found, or what is found now. The
/// winner itself if there is no time. Every step is journaled, so that an interrupted run goes on with the next.
Result<Shortened> shortenWinner(Evaluator &evaluator, Journal &journal, const Candidate &winner,
                                const ShorteningSettings &settings, const ShorteningRun &run);

} // namespace agentic
