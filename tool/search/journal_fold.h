// The effect of each journal event on the record of its run: the same when writing and when reading.
#pragma once

#include "tool/search/journal.h"

#include <string>

namespace agentic {

/// Names in RunRecord::stageSeconds, beside the steps of evaluations.
inline constexpr const char *kPreparing = "preparing", *kShortening = "shorten", *kReviewing = "review",
                            *kConfirming = "confirm", *kWritingBack = "write-back";

/// Advances the run's clock; all of the time since the previous event belongs to `stage`.
void noteTime(RunRecord &record, const char *stage, double secondsUsed);

/// Advances the run's clock while it searches.
void noteSearch(RunRecord &record, double secondsUsed);

/// Records a confirmation; the first one ends the search.
void noteConfirming(RunRecord &record, const std::string &candidate, double secondsUsed);

/// Records the end of the process: it searched, unless a candidate was being confirmed.
void noteEnd(RunRecord &record, double secondsUsed);

/// Records the agent of a proposal, and what it was asked for. The first agent that proposes a candidate is its author.
void noteTurn(RunRecord &record, const Proposal &proposal);

void noteTried(RunRecord &record, const std::string &candidate, TriedSetting tried, double secondsUsed);

void noteWithdrawn(RunRecord &record, const std::string &candidate, double secondsUsed);

void noteShorter(RunRecord &record, const std::string &winner, TriedShorter tried, double secondsUsed);

void noteShortened(RunRecord &record, const std::string &winner, Shortened shortened, double secondsUsed);

/// The time until an answer of a reviewer is that of a call, and of no stage.
void noteReviewing(RunRecord &record, double secondsUsed);

void noteReviewed(RunRecord &record, const std::string &winner, Shortened reviewed, double secondsUsed);

/// The attempt of which a candidate is what shortening and a review made, and what these say of it
/// (Shortened::summary). Without them: the candidate itself, and nothing.
struct ChangedText {
  std::string original; ///< id
  std::string shortening, review;
};
ChangedText changesOf(const RunRecord &record, const std::string &candidate);
std::string originalOf(const RunRecord &record, const std::string &candidate);

/// Returns why a candidate, or what shortening and a review made of it with the same code, was not confirmed; nullptr:
/// none of these was refused.
const Evaluation *refusalOf(const RunRecord &record, const std::string &candidate);

/// Returns the label of the candidate's agent; empty: none.
std::string proposerOf(const RunRecord &record, const Candidate &candidate, const Evaluation &evaluation);

void addAttempt(RunRecord &record, Attempt attempt, bool becameIncumbent);

/// Records a confirmed winner; a later gate's refusal takes that back.
void noteConfirmed(RunRecord &record, const Candidate &candidate, const Evaluation &evaluation, double secondsUsed);

} // namespace agentic
