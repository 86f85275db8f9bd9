#include "tool/knowledge/ranking.h"

#include "tool/base/text.h"
#include "tool/model/contract.h"
#include "tool/model/level.h"
#include "tool/store/search_words.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace agentic {
namespace {

constexpr double kBoundFits = 1.15, kOtherBound = 0.9, kAgainst = 0.5, kOtherLevel = 0.3, kContractLacks = 0.75;
constexpr double kTitleWeight = 0.6, kTextWeight = 0.3; // of words of names
constexpr std::size_t kShortestName = 3;                // of a word that says something: not "of"

using Weights = std::map<std::string, double, std::less<>>;

double rarity(std::size_t holders, std::size_t all) {
  return std::log(1 + static_cast<double>(all) / static_cast<double>(std::max<std::size_t>(1, holders)));
}

/// Words of each pattern.
using Words = std::vector<std::set<std::string>>;

Words wordsOf(const std::vector<Pattern> &patterns, std::vector<std::string> (*of)(const Pattern &)) {
  Words all;
  for (const Pattern &pattern : patterns) {
    const std::vector<std::string> words = of(pattern);
    all.emplace_back(words.begin(), words.end());
  }
  return all;
}

Weights weightsOf(const Words &all) {
  std::map<std::string, std::size_t, std::less<>> holders;
  for (const std::set<std::string> &words : all)
    for (const std::string &word : words)
      ++holders[word];
  Weights weights;
  for (const auto &[word, count] : holders)
    weights[word] = rarity(count, all.size());
  return weights;
}

double weightOf(const Weights &weights, std::string_view word) {
  const auto found = weights.find(word);
  return found == weights.end() ? 0 : found->second;
}

std::vector<std::string> stemsIn(std::string_view text) {
  std::vector<std::string> stems;
  for (const std::string &word : searchWords(text))
    if (word.size() >= kShortestName)
      stems.push_back(stemOf(word));
  return stems;
}

/// Returns those of names, and of "crc16" also that of "crc".
std::set<std::string> nameStems(std::string_view names) {
  std::set<std::string> stems;
  for (const std::string &word : searchWords(names))
    for (const std::string &part : {word, word.substr(0, word.find_first_of("0123456789"))})
      if (part.size() >= kShortestName)
        stems.insert(stemOf(part));
  return stems;
}

std::vector<std::string> titleStems(const Pattern &pattern) {
  return stemsIn(pattern.name + " " + pattern.title);
}

std::vector<std::string> textStems(const Pattern &pattern) {
  return stemsIn(pattern.when + " " + pattern.idea + " " + pattern.costs);
}

std::vector<std::string> allStems(const Pattern &pattern) {
  return stemsIn(pattern.name + " " + pattern.title + " " + join(pattern.features, " ") + " " + pattern.when + " " +
                 pattern.idea + " " + pattern.costs + " " + pattern.sources);
}

std::vector<std::string> featuresOfPattern(const Pattern &pattern) {
  return pattern.features;
}

/// What a kernel of that level can run.
bool isReachable(const std::string &wanted, const std::string &level) {
  if (wanted == "any" || level.empty())
    return true;
  const Level *needed = findLevel(wanted), *own = findLevel(level);
  return needed && own && needed->processor == own->processor && needed->rank <= own->rank;
}

const char *contractHint(std::string_view word) {
  if (word == "reassociate")
    return "sums in another order: AGENTIC_FP(reassociate) or a tolerance";
  if (word == "finite")
    return "no NaN, infinity or -0 among the arguments: AGENTIC_FP(finite)";
  if (word == "extents")
    return "extents of the arrays: AGENTIC_IN(a, n) and the like";
  if (word == "no-alias")
    return "arguments that do not overlap: no AGENTIC_MAY_ALIAS";
  if (word == "tolerance")
    return "a tolerance: AGENTIC_TOLERANCE(…)";
  return "what sizes and values are possible: AGENTIC_REQUIRES(…)";
}

void applyFactors(const PatternQuery &query, RankedPattern &ranked) {
  const Pattern &pattern = *ranked.pattern;
  const std::vector<std::string> &bounds = query.features.bounds();
  for (const std::string &bound : pattern.bounds)
    if (std::ranges::find(bounds, bound) != bounds.end())
      ranked.bounds.push_back(bound);
  if (!bounds.empty())
    ranked.score *= ranked.bounds.empty() ? kOtherBound : kBoundFits;
  for (const std::string &word : pattern.unless)
    if (query.features.has(word)) {
      ranked.against.push_back(word);
      ranked.score *= kAgainst;
    }
  if (!isReachable(pattern.level, query.level)) {
    ranked.needs.push_back("the level " + pattern.level);
    ranked.score *= kOtherLevel;
  }
  for (const std::string &word : pattern.contract)
    if (!query.permitted.contains(word)) {
      ranked.needs.emplace_back(contractHint(word));
      ranked.score *= kContractLacks;
    }
}

void sortAndCut(std::vector<RankedPattern> &ranked, std::size_t most) {
  std::ranges::sort(ranked, [](const RankedPattern &left, const RankedPattern &right) {
    return left.score != right.score ? left.score > right.score : left.pattern->name < right.pattern->name;
  });
  ranked.resize(std::min(ranked.size(), most));
}

} // namespace

PatternQuery patternQuery(const KernelSpec &spec, KernelFeatures features, std::string level) {
  PatternQuery query{.features = std::move(features),
                     .names = spec.kernel + " " + spec.identifier,
                     .level = std::move(level),
                     .permitted = {}};
  if (mayReassociate(spec))
    query.permitted.insert("reassociate");
  if (spec.contract.mayAlias.empty())
    query.permitted.insert("no-alias");
  if (!hasSpecialValues(spec))
    query.permitted.insert("finite");
  if (!spec.contract.extents.empty())
    query.permitted.insert("extents");
  if (spec.contract.tolerance && spec.contract.tolerance->value > 0)
    query.permitted.insert("tolerance");
  if (!spec.contract.requirements.empty())
    query.permitted.insert("requirements");
  return query;
}

std::vector<RankedPattern> rankPatterns(const std::vector<Pattern> &patterns, const PatternQuery &query,
                                        std::size_t most) {
  const Words titles = wordsOf(patterns, titleStems), texts = wordsOf(patterns, textStems);
  const Weights weights = weightsOf(wordsOf(patterns, featuresOfPattern)), titleWeights = weightsOf(titles),
                textWeights = weightsOf(texts);
  const std::set<std::string> names = nameStems(query.names);
  std::vector<RankedPattern> ranked;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const Pattern &pattern = patterns[i];
    RankedPattern entry{.pattern = &pattern};
    double shared = 0, own = 0;
    for (const std::string &word : pattern.features) {
      const double weight = weightOf(weights, word);
      own += weight * weight;
      if (!query.features.has(word))
        continue;
      shared += weight * weight;
      entry.matched.push_back(word);
    }
    for (const std::string &stem : names) {
      entry.score += titles[i].contains(stem) ? kTitleWeight * weightOf(titleWeights, stem) : 0;
      entry.score += texts[i].contains(stem) ? kTextWeight * weightOf(textWeights, stem) : 0;
    }
    entry.score += own > 0 ? shared / std::sqrt(own) : 0;
    if (entry.score <= 0)
      continue;
    std::ranges::sort(entry.matched, [&](const std::string &left, const std::string &right) {
      return weightOf(weights, left) > weightOf(weights, right);
    });
    applyFactors(query, entry);
    ranked.push_back(std::move(entry));
  }
  sortAndCut(ranked, most);
  return ranked;
}

std::vector<RankedPattern> searchPatterns(const std::vector<Pattern> &patterns, std::string_view text,
                                          std::size_t most) {
  const Weights weights = weightsOf(wordsOf(patterns, allStems));
  std::map<std::string, std::string> wanted; // stem → word, as given
  for (const std::string &word : searchWords(text))
    if (word.size() >= kShortestName)
      wanted.emplace(stemOf(word), word);
  std::vector<RankedPattern> ranked;
  for (const Pattern &pattern : patterns) {
    RankedPattern entry{.pattern = &pattern};
    const auto count = [&](std::string_view part, double factor) {
      const std::vector<std::string> stems = stemsIn(part);
      for (const auto &[stem, word] : wanted)
        if (std::ranges::find(stems, stem) != stems.end()) {
          entry.score += factor * weightOf(weights, stem);
          if (std::ranges::find(entry.matched, word) == entry.matched.end())
            entry.matched.push_back(word);
        }
    };
    count(pattern.name + " " + pattern.title, 3);
    count(join(pattern.features, " "), 2);
    count(pattern.when, 1.5);
    count(pattern.idea + " " + pattern.costs + " " + pattern.sources, 1);
    if (entry.score > 0)
      ranked.push_back(std::move(entry));
  }
  sortAndCut(ranked, most);
  return ranked;
}

} // namespace agentic
