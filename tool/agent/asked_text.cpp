#include "tool/agent/asked_text.h"

#include "tool/agent/bounded_text.h"
#include "tool/agent/feedback.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kParentBytes = 32u << 10, kBesideBytes = 16u << 10, kVerdictBytes = 1024, kMostBeside = 2;

/// Returns the attempts of the candidates that have a verdict.
std::vector<std::size_t> attemptsOf(const RunState &state, const std::vector<std::string> &candidates) {
  std::vector<std::size_t> attempts;
  for (const std::string &id : candidates)
    if (const auto attempt = attemptOf(state, id))
      attempts.push_back(*attempt);
  return attempts;
}

std::string besideText(const RunState &state, const CandidateNames &names) {
  std::vector<std::size_t> beside = attemptsOf(state, state.ask.beside);
  beside.resize(std::min(beside.size(), kMostBeside));
  std::string text;
  for (const std::size_t index : beside)
    text += (text.empty() ? "# Others that went another way\n\n" : "\n\n") + rowsOf(state, names.ideas, {index}) +
            "\n" + sourceOf(state, index, names, kBesideBytes);
  return text;
}

std::string ideaText(const RunState &state, const CandidateNames &names) {
  const std::string idea = names.ideaOf(state.ask.idea);
  return idea.empty() ? "" : "Write this idea once more, in another way: " + oneLine(idea);
}

} // namespace

std::string sourceOf(const RunState &state, std::size_t index, const CandidateNames &names, std::size_t most) {
  const Candidate &candidate = state.attempts[index].candidate;
  return fencedSource(boundedText(candidate.text, most), names.fileOf(candidate.id));
}

std::string bestSource(const RunState &state, const CandidateNames &names, std::size_t most) {
  return incumbentOf(state)
             ? fmt::format("#{}\n\n", *state.incumbent + 1) + sourceOf(state, *state.incumbent, names, most)
             : "None yet: the baseline leads.";
}

std::string verdictOn(const RunState &state, std::size_t index, const CandidateNames &names) {
  const Attempt &attempt = state.attempts[index];
  return verdictText(attempt, static_cast<int>(index) + 1, names.fileOf(attempt.candidate.id), kVerdictBytes);
}

std::string triedText(const RunState &state, const CandidateNames &names) {
  const std::vector<std::size_t> tried = attemptsOf(state, state.ask.tried);
  if (tried.empty())
    return {};
  return "# Tried from here\n\n" + rowsOf(state, names.ideas, tried) + "\nThe latest of them:\n\n" +
         verdictOn(state, tried.back(), names);
}

std::string askedText(const Prompts &prompts, const RunState &state, const CandidateNames &names,
                      const AskedTextParts &parts) {
  PromptValues values = {{"baseline", baselineText(state)},
                         {"shapes", parts.shapes},
                         {"tried", parts.isShort ? "" : triedText(state, names)},
                         {"beside", parts.isShort ? "" : besideText(state, names)},
                         {"idea", ideaText(state, names)},
                         {"problem", parts.problem},
                         {"budget", parts.budget}};
  const auto parent = attemptOf(state, state.ask.parent);
  if (!parent)
    return prompts.fill("fresh.md", values);
  values["parent"] = verdictOn(state, *parent, names) + "\n\n" + sourceOf(state, *parent, names, kParentBytes);
  return prompts.fill("parent.md", values);
}

} // namespace agentic
