#include "tool/agent/leaderboard.h"

#include "tool/agent/bounded_text.h"
#include "tool/model/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kMostRejected = 6, kRowIdeaBytes = 120;

std::string nameOf(const RunState &state, std::size_t index, const Ideas &ideas) {
  const Candidate &candidate = state.attempts[index].candidate;
  const auto idea = ideas.find(candidate.id);
  return boundedText(oneLine(idea != ideas.end() && !idea->second.empty() ? idea->second : candidate.origin),
                     kRowIdeaBytes);
}

/// Returns the fastest first; of equal ones the earlier.
std::vector<std::size_t> ranked(const std::vector<RankedAttempt> &all, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i)
    if (all[i].ratio > 0)
      order.push_back(i);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return all[a].ratio != all[b].ratio ? all[a].ratio > all[b].ratio : a < b;
  });
  return order;
}

/// One line; `all` are the state's ranked attempts.
std::string attemptLine(const RunState &state, const std::vector<RankedAttempt> &all, std::size_t index,
                        const Ideas &ideas) {
  const RankedAttempt &attempt = all[index];
  const Evaluation &evaluation = state.attempts[index].evaluation;
  const std::string name = nameOf(state, index, ideas);
  if (evaluation.verdict == Verdict::Rejected)
    return fmt::format("- #{} rejected by {}: {}\n", attempt.number, stageName(evaluation.stage), name);
  if (attempt.ratio <= 0)
    return fmt::format("- #{} correct, not measured: {}\n", attempt.number, name);
  return fmt::format("- #{} {}{}: {}\n", attempt.number,
                     attempt.isDirect ? ratioText(evaluation.measurement->speedup)
                                      : fmt::format("about {:.2f}x", attempt.ratio),
                     static_cast<int>(index) == state.incumbent ? ", the best so far" : "", name);
}

} // namespace

std::string rowsOf(const RunState &state, const Ideas &ideas, const std::vector<std::size_t> &indices) {
  const std::vector<RankedAttempt> all = rankedAttempts(state);
  std::string text;
  for (const std::size_t index : indices)
    text += attemptLine(state, all, index, ideas);
  return text;
}

std::string leaderboard(const RunState &state, const Ideas &ideas, std::size_t most) {
  if (state.attempts.empty())
    return {};
  const std::vector<RankedAttempt> all = rankedAttempts(state);
  const std::vector<std::size_t> order = ranked(all, all.size());
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), most); ++i)
    text += attemptLine(state, all, order[i], ideas);
  if (order.size() > most)
    text += fmt::format("- and {} slower ones\n", order.size() - most);
  std::map<std::string, int> rejected;
  std::vector<std::size_t> latest;
  for (std::size_t i = all.size(); i-- > 0;) {
    const Evaluation &evaluation = state.attempts[i].evaluation;
    if (evaluation.verdict != Verdict::Rejected)
      continue;
    ++rejected[stageName(evaluation.stage)];
    if (latest.size() < kMostRejected)
      latest.push_back(i);
  }
  for (auto index = latest.rbegin(); index != latest.rend(); ++index)
    text += attemptLine(state, all, *index, ideas);
  std::string counts;
  for (const auto &[stage, count] : rejected)
    counts += fmt::format("{}{} by {}", counts.empty() ? "" : ", ", count, stage);
  if (!counts.empty())
    text += "Rejected in all: " + counts + ".\n";
  return text;
}

std::string rankText(const RunState &state, std::size_t index) {
  const std::vector<RankedAttempt> all = rankedAttempts(state);
  const std::vector<std::size_t> order = ranked(all, index + 1);
  if (order.empty())
    return "Nothing has been measured yet: the baseline is the best so far.";
  int leader = -1;
  for (std::size_t i = 0; i <= index; ++i)
    if (all[i].led)
      leader = static_cast<int>(i);
  const auto place = std::ranges::find(order, index);
  std::string text;
  if (place != order.end())
    text = fmt::format("It is number {} of {} that were measured. ", place - order.begin() + 1, order.size());
  return text + (leader < 0 ? "Nothing is faster than the baseline yet."
                            : fmt::format("The best so far is #{} with {}.", leader + 1,
                                          ratioText(state.attempts[leader].evaluation.measurement->speedup)));
}

} // namespace agentic
