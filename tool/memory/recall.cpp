#include "tool/memory/recall.h"

#include "tool/base/text.h"
#include "tool/memory/change_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace agentic {
namespace {

constexpr double kLeastShared = 0.15, kTextWeight = 0.3;
constexpr double kSameBound = 1.15, kOtherBound = 0.9, kOtherMemoryLevel = 0.85, kOtherFamily = 0.8;
constexpr std::size_t kMostSlower = 5, kWithSource = 4;

using Words = std::set<std::string, std::less<>>;

/// How much a word says: the more, the fewer items have it.
std::map<std::string, double> raritiesOf(const std::vector<MemoryItem> &items) {
  std::map<std::string, double> holders, rarities;
  for (const MemoryItem &item : items)
    for (const std::string &word : Words(item.words.begin(), item.words.end()))
      ++holders[word];
  for (const auto &[word, count] : holders)
    rarities[word] = std::log(1 + static_cast<double>(items.size()) / count);
  return rarities;
}

/// From 0 to 1: what both have of what one of them has.
double sharedPart(const Words &item, const Words &kernel, const std::map<std::string, double> &rarities) {
  double shared = 0, all = 0;
  const auto weight = [&](const std::string &word) {
    const auto found = rarities.find(word);
    const double rarity = found == rarities.end() ? 1 : found->second;
    return rarity * rarity;
  };
  for (const std::string &word : item) {
    all += weight(word);
    shared += kernel.contains(word) ? weight(word) : 0;
  }
  for (const std::string &word : kernel)
    all += item.contains(word) ? 0 : weight(word);
  return all > 0 ? shared / all : 0;
}

bool haveOneInCommon(const std::vector<std::string> &left, const std::vector<std::string> &right) {
  return std::ranges::any_of(left,
                             [&](const std::string &word) { return std::ranges::find(right, word) != right.end(); });
}

std::string fenced(const std::string &source) {
  const std::string fence = fenceFor(source);
  return "  " + fence + "cpp\n" + source + (source.ends_with('\n') ? "" : "\n") + "  " + fence + "\n";
}

std::string ratioWords(const Speedup &speedup) {
  return speedup.isInterval ? fmt::format("{:.2f}x [{:.2f}, {:.2f}]", speedup.ratio, speedup.low, speedup.high)
                            : fmt::format("about {:.2f}x", speedup.ratio);
}

std::string sentence(const std::string &text) {
  return text.empty() ? "" : text + (text.ends_with('.') ? "" : ".");
}

std::string placeOf(const MemoryItem &item, bool isBlind) {
  std::string place = "of a kernel with " + join(item.words, ", ");
  if (!item.bounds.empty())
    place += "; bound by " + join(item.bounds, " or ");
  if (!isBlind)
    place += fmt::format("; {}, {}", item.level.empty() ? "any level" : item.level,
                         item.family.empty() ? "any compiler" : item.family);
  return place + (item.seen > 1 ? fmt::format("; seen {} times", item.seen) : "");
}

std::string itemText(const MemoryItem &item, bool hasSource, bool isBlind) {
  std::string text = fmt::format("- {}: {}", ratioWords(item.speedup), sentence(item.title));
  if (!item.change.empty() && item.change != item.title)
    text += " " + sentence(item.change);
  if (!item.reason.empty())
    text += " " + sentence(item.reason);
  text += " (" + placeOf(item, isBlind) + ")\n";
  if (hasSource && !item.after.empty())
    text += (item.before.empty() ? "" : "  before:\n" + fenced(item.before)) + "  after:\n" + fenced(item.after);
  return text;
}

/// The model's name without what may be of the user's machine.
std::string publicAgent(const std::string &agent) {
  const bool isPrivate = startsWithAny(agent, {"command:", "replay:", "file:"}) || agent.contains("://");
  return isPrivate ? agent.substr(0, agent.find(':')) : agent;
}

} // namespace

std::vector<RankedMemory> rankMemory(const std::vector<MemoryItem> &items, const MemoryQuery &query) {
  const std::map<std::string, double> rarities = raritiesOf(items);
  const Words kernel(query.words.begin(), query.words.end());
  std::vector<RankedMemory> ranked;
  Words seen;
  for (const MemoryItem &item : items) {
    const double shared = sharedPart(Words(item.words.begin(), item.words.end()), kernel, rarities);
    if (shared < kLeastShared || !seen.insert(item.id).second)
      continue;
    const auto text = query.textScores.find(item.id);
    double score = shared + (text == query.textScores.end() ? 0 : kTextWeight * text->second);
    if (!item.bounds.empty() && !query.bounds.empty())
      score *= haveOneInCommon(item.bounds, query.bounds) ? kSameBound : kOtherBound;
    score *= item.level == query.level ? 1 : kOtherMemoryLevel;
    score *= item.family == query.family ? 1 : kOtherFamily;
    score *= 1 + std::min(1.0, std::abs(std::log(item.speedup.ratio))) / 4;
    ranked.push_back({item, score});
  }
  std::ranges::sort(ranked, [](const RankedMemory &left, const RankedMemory &right) {
    return left.score != right.score ? left.score > right.score : left.item.id < right.item.id;
  });
  return ranked;
}

std::vector<MemoryItem> chooseMemory(const std::vector<RankedMemory> &ranked) {
  std::vector<MemoryItem> gains, losses;
  for (const RankedMemory &entry : ranked)
    (entry.item.isGain() ? gains : losses).push_back(entry.item);
  losses.resize(std::min({losses.size(), kMostSlower, gains.size() / 2}));
  gains.resize(std::min(gains.size(), kMostRecalled - losses.size()));
  gains.insert(gains.end(), losses.begin(), losses.end());
  return gains;
}

std::string memoryForPrompt(const std::vector<MemoryItem> &items, bool isBlind) {
  std::string text;
  bool isOfGains = false, isOfLosses = false;
  std::size_t shown = 0;
  for (const MemoryItem &item : items) {
    std::string part;
    if (bool &isBegun = item.isGain() ? isOfGains : isOfLosses; !isBegun) {
      part = std::string(text.empty() ? "" : "\n") + (item.isGain() ? "Made it faster:\n\n" : "Made it slower:\n\n");
      isBegun = true;
    }
    part += itemText(item, shown < kWithSource, isBlind);
    if (text.size() + part.size() > kRecalledBytes)
      break;
    text += part;
    ++shown;
  }
  return text;
}

std::string memoryText(const MemoryItem &item) {
  std::string text = fmt::format("{}  {}  {}\n", item.id, ratioWords(item.speedup), item.title);
  if (!item.change.empty() && item.change != item.title)
    text += "  " + item.change + "\n";
  if (!item.reason.empty())
    text += "  " + item.reason + "\n";
  text += "  " + placeOf(item, false) + "\n";
  text += fmt::format("  by {}{}; shown {} times\n", item.agent.empty() ? "nobody known" : item.agent,
                      item.kernel.empty() ? "" : ", of " + item.kernel, item.uses);
  if (!item.before.empty())
    text += "  before:\n" + item.before;
  if (!item.after.empty())
    text += "  after:\n" + item.after;
  return text;
}

MemoryItem withoutSource(const MemoryItem &item) {
  MemoryItem bare = item;
  bare.title = item.changes.empty() ? kNoChangeWord : memoryLine(changeText(item.changes));
  bare.change.clear();
  bare.reason.clear();
  bare.before.clear();
  bare.after.clear();
  bare.kernel.clear();
  bare.agent = publicAgent(item.agent);
  bare.id = kindOf(bare);
  return bare;
}

} // namespace agentic
