#include "tool/memory/experience.h"

#include "tool/base/text.h"
#include "tool/memory/change_words.h"
#include "tool/model/agent.h"

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

bool passedEveryCheck(const Evaluation &evaluation) {
  return evaluation.verdict != Verdict::Rejected && (evaluation.measurement || evaluation.againstIncumbent);
}

/// Returns the recipe of a candidate of the built-in search; empty: another agent's.
std::string_view recipeOf(std::string_view origin) {
  if (origin.starts_with(kBuiltinOrigin))
    return origin.substr(kBuiltinOrigin.size());
  const std::size_t end = origin.find(": ");
  return origin.starts_with(kPolishOrigin) && end != std::string_view::npos ? origin.substr(end + 2)
                                                                            : std::string_view();
}

std::string reasonFor(const std::vector<std::string> &before, const std::vector<std::string> &after) {
  if (before.empty() || after.empty())
    return {};
  return before == after ? "its hot loop is of the same kind: " + join(after, ", ")
                         : "its hot loop went from " + join(before, ", ") + " to " + join(after, ", ");
}

} // namespace

MeasuredChanges::MeasuredChanges(std::string baseline) {
  known_[""].text = std::move(baseline);
}

Speedup MeasuredChanges::overBaseline(const Attempt &attempt) const {
  const Evaluation &evaluation = attempt.evaluation;
  if (evaluation.measurement)
    return evaluation.measurement->speedup;
  const Speedup &speedup = evaluation.againstIncumbent->speedup, &best = known_.at(best_).speedup;
  return {.ratio = speedup.ratio * best.ratio, .low = speedup.low * best.low, .high = speedup.high * best.high};
}

std::string MeasuredChanges::referenceOf(const Attempt &attempt) const {
  if (const std::string &parent = attempt.candidate.parent; !parent.empty() && known_.contains(parent))
    return parent;
  const bool isOfModel = recipeOf(attempt.candidate.origin).empty();
  return isOfModel && attempt.evaluation.againstIncumbent ? best_ : "";
}

Speedup MeasuredChanges::overReference(const Attempt &attempt, const std::string &reference) const {
  const Evaluation &evaluation = attempt.evaluation;
  if (reference.empty() && evaluation.measurement)
    return evaluation.measurement->speedup;
  if (reference == best_ && evaluation.againstIncumbent)
    return evaluation.againstIncumbent->speedup;
  const Speedup own = overBaseline(attempt), &other = known_.at(reference).speedup;
  return {.ratio = own.ratio / other.ratio, .low = own.low / other.high, .high = own.high / other.low};
}

std::optional<MeasuredChange> MeasuredChanges::take(const Attempt &attempt) {
  if (!passedEveryCheck(attempt.evaluation))
    return std::nullopt;
  std::optional<MeasuredChange> change;
  if (!attempt.agent.empty() && attempt.evaluation.sameCodeAs.empty()) {
    const std::string reference = referenceOf(attempt);
    const Known &known = known_.at(reference);
    change = MeasuredChange{reference, known.text, known.traits, overReference(attempt, reference)};
    change->speedup.low = std::min(change->speedup.low, change->speedup.ratio);
    change->speedup.high = std::max(change->speedup.high, change->speedup.ratio);
  }
  known_[attempt.candidate.id] = {attempt.candidate.text, overBaseline(attempt), attempt.evaluation.traits};
  if (attempt.becameBest)
    best_ = attempt.candidate.id;
  return change;
}

bool isTelling(const Speedup &speedup) {
  return speedup.ratio > kMemoryGain || speedup.ratio < kMemoryLoss;
}

MemoryItem Experience::itemOf(const Attempt &attempt, const MeasuredChange &change) const {
  MemoryItem item{.words = kernel_.words,
                  .bounds = kernel_.bounds,
                  .kernel = kernel_.kernel,
                  .level = kernel_.level,
                  .family = kernel_.family,
                  .agent = memoryLine(attempt.agent.substr(0, 80)),
                  .speedup = change.speedup};
  const std::string_view recipe = recipeOf(attempt.candidate.origin);
  item.changes = recipe.empty() ? changeWordsOf(change.before, attempt.candidate.text) : moveNames(recipe);
  item.change = memoryLine(recipe.empty() ? changeText(item.changes) : recipe);
  const std::string moves = recipe.empty() ? "" : join(item.changes, ", then ");
  item.title = memoryLine(!moves.empty() ? moves : !item.change.empty() ? item.change : kNoChangeWord);
  item.reason = memoryLine(reasonFor(change.traitsBefore, attempt.evaluation.traits));
  const ChangedLines lines = changedLines(change.before, attempt.candidate.text);
  item.before = memorySource(lines.before);
  item.after = memorySource(lines.after);
  if (item.agent.size() > kMemoryNameBytes)
    item.agent.clear();
  item.id = kindOf(item);
  return item;
}

void Experience::take(const Attempt &attempt) {
  const auto change = changes_.take(attempt);
  if (!change || !isTelling(change->speedup))
    return;
  MemoryItem item = itemOf(attempt, *change);
  if (whyNoItem(item).empty())
    round_.push_back({attempt.candidate.id, std::move(item)});
}

void Experience::describe(const Summary &summary) {
  for (auto &[candidate, item] : round_) {
    if (candidate != summary.candidate)
      continue;
    MemoryItem described = item;
    described.title = memoryLine(summary.title);
    described.change = memoryLine(summary.what);
    described.reason = memoryLine(summary.why);
    described.id = kindOf(described);
    if (whyNoItem(described).empty())
      item = std::move(described);
  }
}

std::vector<MemoryItem> Experience::endRound() {
  std::vector<MemoryItem> items;
  for (Taught &taught : std::exchange(round_, {}))
    items.push_back(std::move(taught.item));
  std::ranges::sort(items, [](const MemoryItem &left, const MemoryItem &right) {
    const double a = std::abs(std::log(left.speedup.ratio)), b = std::abs(std::log(right.speedup.ratio));
    return a != b ? a > b : left.id < right.id;
  });
  items.resize(std::min(items.size(), kMostNewItems));
  return items;
}

} // namespace agentic
