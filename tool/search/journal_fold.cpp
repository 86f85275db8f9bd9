#include "tool/search/journal_fold.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace agentic {
namespace {

double ratioOf(const Attempt &attempt) {
  return attempt.evaluation.measurement ? attempt.evaluation.measurement->speedup.ratio : 0;
}

/// Credits a new best to its agent.
void noteGain(RunRecord &record, const Attempt &attempt) {
  const Attempt *incumbent = incumbentOf(record);
  const double before = incumbent ? ratioOf(*incumbent) : 1;
  const double gain = before > 0 ? std::log(ratioOf(attempt) / before) : 0;
  if (!attempt.agent.empty() && std::isfinite(gain) && gain > 0)
    record.standings[attempt.agent].gain += gain;
}

void noteTimes(RunRecord &record, const Evaluation &evaluation) {
  for (const StageTime &time : evaluation.times)
    record.stageSeconds[time.name] += time.seconds;
}

} // namespace

void noteTurn(RunRecord &record, const Proposal &proposal) {
  // A journal without a name belongs to the run's one agent.
  const std::string agent = proposal.agent.empty() ? record.config.agent : proposal.agent;
  AgentStanding &standing = record.standings[agent];
  ++standing.turns;
  if (std::isfinite(proposal.usd))
    standing.usd = std::max(standing.usd, proposal.usd);
  record.lastAgent = agent;
  for (const Candidate &candidate : proposal.candidates)
    record.proposers.emplace(candidate.id, agent);
  if (proposal.call > 0) {
    record.calls.insert(proposal.call);
    standing.calls.insert(proposal.call);
  }
  if (proposal.ask) {
    Asked &asked = record.asked.emplace_back(Asked{.ask = *proposal.ask, .candidates = {}});
    for (const Candidate &candidate : proposal.candidates)
      asked.candidates.push_back(candidate.id);
  }
  record.judged.insert(record.judged.end(), proposal.judged.begin(), proposal.judged.end());
  record.summaries.insert(record.summaries.end(), proposal.summaries.begin(), proposal.summaries.end());
  if (proposal.isUnusable)
    record.iterations.push_back({.call = proposal.call, .agent = agent, .seconds = record.secondsUsed});
}

void noteTime(RunRecord &record, const char *stage, double secondsUsed) {
  record.stageSeconds[stage] += std::max(0.0, secondsUsed - record.secondsUsed);
  record.secondsUsed = secondsUsed;
}

void noteSearch(RunRecord &record, double secondsUsed) {
  record.searchSeconds += std::max(0.0, secondsUsed - record.secondsUsed);
  record.secondsUsed = secondsUsed;
}

void noteConfirming(RunRecord &record, const std::string &candidate, double secondsUsed) {
  noteEnd(record, secondsUsed);
  record.confirming = candidate;
}

void noteEnd(RunRecord &record, double secondsUsed) {
  if (record.confirming.empty())
    noteSearch(record, secondsUsed);
  record.secondsUsed = secondsUsed;
}

void noteTried(RunRecord &record, const std::string &candidate, TriedSetting tried, double secondsUsed) {
  noteTimes(record, tried.evaluation);
  record.tried[candidate].push_back(std::move(tried));
  noteSearch(record, secondsUsed);
}

void noteWithdrawn(RunRecord &record, const std::string &candidate, double secondsUsed) {
  std::erase_if(record.pending, [&](const Candidate &other) { return other.id == candidate; });
  record.tried.erase(candidate);
  noteSearch(record, secondsUsed);
}

void noteShorter(RunRecord &record, const std::string &winner, TriedShorter tried, double secondsUsed) {
  noteTime(record, tried.verdict ? kReviewing : kShortening, secondsUsed);
  record.shorter[winner].push_back(std::move(tried));
}

void noteShortened(RunRecord &record, const std::string &winner, Shortened shortened, double secondsUsed) {
  record.shortened.insert_or_assign(winner, std::move(shortened));
  noteTime(record, kShortening, secondsUsed);
}

void noteReviewing(RunRecord &record, double secondsUsed) {
  record.secondsUsed = std::max(record.secondsUsed, secondsUsed);
}

void noteReviewed(RunRecord &record, const std::string &winner, Shortened reviewed, double secondsUsed) {
  record.reviewed.insert_or_assign(winner, std::move(reviewed));
  noteTime(record, kReviewing, secondsUsed);
}

/// A review is of what shortening left, so it is undone first.
ChangedText changesOf(const RunRecord &record, const std::string &candidate) {
  ChangedText text{.original = candidate, .shortening = {}, .review = {}};
  const auto undo = [&](const std::map<std::string, Shortened> &changes, std::string &summary) {
    for (const auto &[winner, changed] : changes)
      if (changed.candidate.id == text.original && winner != text.original) {
        summary = changed.summary;
        text.original = winner;
        return;
      }
  };
  undo(record.reviewed, text.review);
  undo(record.shortened, text.shortening);
  return text;
}

std::string originalOf(const RunRecord &record, const std::string &candidate) {
  return changesOf(record, candidate).original;
}

/// What another text does wrong, the original may do right; but the same code is as slow.
const Evaluation *refusalOf(const RunRecord &record, const std::string &candidate) {
  if (const auto refused = record.refused.find(candidate); refused != record.refused.end())
    return &refused->second;
  std::string text = candidate;
  for (const auto *changes : {&record.shortened, &record.reviewed}) {
    const auto changed = changes->find(text);
    if (changed == changes->end())
      continue;
    if (!changed->second.hasSameCode)
      return nullptr;
    text = changed->second.candidate.id;
    const auto refused = record.refused.find(text);
    if (refused != record.refused.end() && refused->second.verdict == Verdict::NotFaster)
      return &refused->second;
  }
  return nullptr;
}

std::string proposerOf(const RunRecord &record, const Candidate &candidate, const Evaluation &evaluation) {
  auto found = record.proposers.find(originalOf(record, candidate.id));
  if (found == record.proposers.end() && !evaluation.tuning.empty())
    found = record.proposers.find(candidate.parent);
  return found == record.proposers.end() ? std::string() : found->second;
}

void addAttempt(RunRecord &record, Attempt attempt, bool becameIncumbent) {
  attempt.agent = proposerOf(record, attempt.candidate, attempt.evaluation);
  attempt.becameBest = becameIncumbent;
  if (attempt.evaluation.tuning.empty()) // else it is one of the tried settings, which is noted already
    noteTimes(record, attempt.evaluation);
  if (becameIncumbent)
    noteGain(record, attempt);
  std::erase_if(record.pending, [&](const Candidate &other) {
    if (!isOf(attempt, other.id))
      return false;
    record.tried.erase(other.id);
    return true;
  });
  record.attempts.push_back(std::move(attempt));
  const std::size_t index = record.attempts.size() - 1;
  record.iterations.push_back({.attempt = index, .agent = record.attempts.back().agent, .seconds = record.secondsUsed});
  if (becameIncumbent)
    record.incumbent = index;
}

void noteConfirmed(RunRecord &record, const Candidate &candidate, const Evaluation &evaluation, double secondsUsed) {
  noteTime(record, kConfirming, secondsUsed);
  if (evaluation.verdict == Verdict::Accepted) {
    record.winner = Attempt{candidate, evaluation, proposerOf(record, candidate, evaluation)};
    return;
  }
  record.refused.insert_or_assign(candidate.id, evaluation);
  if (record.winner && record.winner->candidate.id == candidate.id)
    record.winner.reset();
}

} // namespace agentic
