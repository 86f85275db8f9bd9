#include "tool/knowledge/pattern.h"

#include "tool/base/text.h"
#include "tool/knowledge/pattern_texts.h"
#include "tool/model/level.h"

#include <algorithm>
#include <map>

namespace agentic {
namespace {

constexpr std::string_view kContractWords[] = {"reassociate", "no-alias",  "finite",
                                               "extents",     "tolerance", "requirements"};

std::vector<std::string> wordsOf(std::string_view list) {
  std::vector<std::string> words;
  for (const std::string &word : split(list, ','))
    if (const std::string_view plain = trim(word); !plain.empty())
      words.emplace_back(plain);
  return words;
}

std::unexpected<Error> wrong(std::string_view name, const std::string &what) {
  return userError("pattern '" + std::string(name) + "' " + what, "tool/knowledge/README.md shows the form");
}

Result<std::vector<std::string>> listOf(std::string_view name, const std::string &key, std::string_view value,
                                        bool (*isKnown)(std::string_view)) {
  std::vector<std::string> words = wordsOf(value);
  for (const std::string &word : words)
    if (!isKnown(word))
      return wrong(name, "has the unknown word '" + word + "' behind '" + key + ":'");
  return words;
}

bool isContractWord(std::string_view word) {
  return std::ranges::find(kContractWords, word) != std::end(kContractWords);
}

/// The lines between "```…" and "```".
std::string codeIn(const std::string &section) {
  const std::size_t open = section.find("```");
  const std::size_t begin = open == std::string::npos ? open : section.find('\n', open);
  const std::size_t end = begin == std::string::npos ? begin : section.find("\n```", begin);
  return end == std::string::npos ? "" : section.substr(begin + 1, end - begin);
}

Result<void> setKey(Pattern &pattern, const std::string &key, std::string_view value) {
  if (key == "features")
    pattern.features = TRY(listOf(pattern.name, key, value, isFeatureWord));
  else if (key == "unless")
    pattern.unless = TRY(listOf(pattern.name, key, value, isFeatureWord));
  else if (key == "bound")
    pattern.bounds = TRY(listOf(pattern.name, key, value, isBoundWord));
  else if (key == "contract")
    pattern.contract = TRY(listOf(pattern.name, key, value, isContractWord));
  else if (key == "level")
    pattern.level = value;
  else if (key == "language" && (value == "c" || value == "c++"))
    pattern.language = value == "c" ? Language::C : Language::Cxx;
  else
    return wrong(pattern.name, "has a line '" + key + ": " + std::string(value) + "' that nothing reads");
  if (pattern.level != "any" && !findLevel(pattern.level))
    return wrong(pattern.name, "names the level '" + pattern.level + "', which the tool does not know");
  return {};
}

} // namespace

std::span<const std::string_view> contractWords() {
  return kContractWords;
}

Result<Pattern> parsePattern(std::string_view name, std::string_view text) {
  Pattern pattern;
  pattern.name = name;
  pattern.text = text;
  std::map<std::string, std::string> sections;
  std::string section;
  for (const std::string &line : split(text, '\n')) {
    const std::string_view plain = trim(line);
    if (line.starts_with("## ")) {
      section = trim(std::string_view(line).substr(3));
      if (!sections.try_emplace(section).second)
        return wrong(name, "has the section '" + section + "' twice");
    } else if (!section.empty()) {
      sections[section] += line + "\n";
    } else if (line.starts_with("# ")) {
      pattern.title = trim(std::string_view(line).substr(2));
    } else if (const std::size_t colon = plain.find(':'); colon != std::string_view::npos) {
      TRY(setKey(pattern, std::string(plain.substr(0, colon)), trim(plain.substr(colon + 1))));
    } else if (!plain.empty()) {
      return wrong(name, "has a line '" + std::string(plain) + "' in front of its sections");
    }
  }
  for (const auto &[key, into] :
       std::initializer_list<std::pair<const char *, std::string Pattern::*>>{{"When", &Pattern::when},
                                                                              {"Idea", &Pattern::idea},
                                                                              {"Sketch", &Pattern::sketch},
                                                                              {"Costs", &Pattern::costs},
                                                                              {"Sources", &Pattern::sources}}) {
    pattern.*into = trim(sections[key]);
    if ((pattern.*into).empty())
      return wrong(name, "lacks the section '" + std::string(key) + "'");
  }
  pattern.sketch = codeIn(pattern.sketch);
  if (pattern.sketch.empty())
    return wrong(name, "has no code in its sketch");
  if (pattern.title.empty() || pattern.features.empty() || pattern.bounds.empty())
    return wrong(name, "lacks its title, 'features:' or 'bound:'");
  return pattern;
}

Result<std::vector<Pattern>> shippedPatterns() {
  std::vector<Pattern> patterns;
  for (const std::string_view file : patternFiles()) {
    Pattern pattern = TRY(parsePattern(file.substr(0, file.rfind('.')), patternText(file)));
    patterns.push_back(std::move(pattern));
  }
  std::ranges::sort(patterns, {}, &Pattern::name);
  return patterns;
}

const Pattern *findPattern(const std::vector<Pattern> &patterns, std::string_view name) {
  const auto found = std::ranges::find(patterns, name, &Pattern::name);
  return found == patterns.end() ? nullptr : &*found;
}

} // namespace agentic
