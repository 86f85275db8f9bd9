// What each event of a journal does to the record of its run: the same while it is written and when it is read.
#pragma once

#include "tool/search/journal.h"

#include <string>

namespace agentic {

/// Names in RunRecord::stageSeconds, beside the steps of evaluations.
inline constexpr const char *kPreparing = "preparing", *kConfirming = "confirm", *kWritingBack = "write-back";

/// The clock of the run has gone on; all of it since the event before is `stage`'s.
void noteTime(RunRecord &record, const char *stage, double secondsUsed);

/// The clock of the run has gone on while it searched.
void noteSearch(RunRecord &record, double secondsUsed);

/// The first of them ends the search.
void noteConfirming(RunRecord &record, const std::string &candidate, double secondsUsed);

/// The process ends: while it searched, unless something was being confirmed.
void noteEnd(RunRecord &record, double secondsUsed);

/// What a proposal says of its agent. The first to propose a candidate is who made it.
void noteTurn(RunRecord &record, const Proposal &proposal);

void noteTried(RunRecord &record, const std::string &candidate, TriedSetting tried, double secondsUsed);

/// Label of its agent; empty: nobody's.
std::string proposerOf(const RunRecord &record, const Candidate &candidate, const Evaluation &evaluation);

void addAttempt(RunRecord &record, Attempt attempt, bool becameIncumbent);

/// One that a later gate refuses is the winner no more.
void noteConfirmed(RunRecord &record, const Candidate &candidate, const Evaluation &evaluation, double secondsUsed);

} // namespace agentic
