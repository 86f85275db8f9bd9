#include "tool/model/memory_item.h"

#include "tool/base/hash.h"
#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/model/kernel_features.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

using nlohmann::json;

constexpr std::size_t kMostMemoryWords = 40, kMostChanges = 16, kLongestChange = 32;
constexpr std::string_view kCut = "// …\n";

/// Names of moves and words of changes have this form, which holds no source.
bool isChangeWord(const std::string &word) {
  return word.size() >= 2 && word.size() <= kLongestChange && word.front() >= 'a' && word.front() <= 'z' &&
         std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

bool isOneLine(const std::string &text, std::size_t most) {
  return text.size() <= most && printable(text) == text;
}

bool isSource(const std::string &text) {
  return text.size() <= kMemorySourceBytes && printable(text, true) == text;
}

/// Reads a list that is missing where it is empty.
std::vector<std::string> listOf(const json &object, const char *name) {
  return object.value(name, std::vector<std::string>());
}

} // namespace

std::string kindOf(const MemoryItem &item) {
  HashBuilder kind;
  for (const std::vector<std::string> *list : {&item.words, &item.changes}) {
    kind.add(std::to_string(list->size()));
    for (const std::string &word : *list)
      kind.add(word);
  }
  kind.add(item.level).add(item.family).add(item.isGain() ? "faster" : "slower");
  if (item.changes.empty()) // only its words tell it from others
    kind.add(item.change);
  return "m" + kind.hex().substr(0, 10);
}

std::string whyNoItem(const MemoryItem &item) {
  if (item.title.empty())
    return "it has no title";
  for (const std::string *line : {&item.title, &item.change, &item.reason})
    if (!isOneLine(*line, kMemoryLineBytes))
      return "a line of it is longer than 400 bytes, or holds what is no text";
  for (const std::string *name : {&item.level, &item.family})
    if (!name->empty() && !isChangeWord(*name))
      return "its level or family is no such name";
  for (const std::string *name : {&item.kernel, &item.agent})
    if (!isOneLine(*name, kMemoryNameBytes))
      return "a name in it is longer than 120 bytes, or is no text";
  if (!isSource(item.before) || !isSource(item.after))
    return "its source is longer than 1,536 bytes, or holds what is no text";
  if (item.words.size() > kMostMemoryWords || item.bounds.size() > kMostMemoryWords ||
      item.changes.size() > kMostChanges)
    return "it has too many words";
  if (item.words.empty() || !std::ranges::all_of(item.words, isFeatureWord))
    return "its words are not those of the closed list of features";
  if (!std::ranges::all_of(item.bounds, isBoundWord))
    return "its bounds are not memory, latency, compute, branches or calls";
  if (!std::ranges::all_of(item.changes, isChangeWord))
    return "its changes are no words of lower-case letters, digits and hyphens";
  const Speedup &speedup = item.speedup;
  for (const double value : {speedup.ratio, speedup.low, speedup.high})
    if (!std::isfinite(value) || value <= 0 || value > 1e9)
      return "its ratio is no number above 0";
  if (speedup.low > speedup.ratio || speedup.high < speedup.ratio)
    return "its ratio is outside of its interval";
  if (item.seen < 1 || item.uses < 0)
    return "it has impossible counts";
  return {};
}

std::string memoryLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!isBlank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  line = printable(trim(line));
  for (std::size_t columns = kMemoryLineBytes - 1; line.size() > kMemoryLineBytes; columns -= columns / 4)
    line = fitted(line, columns);
  return line;
}

std::string memorySource(std::string_view text) {
  std::string source;
  text.remove_suffix(text.ends_with('\n') ? 1 : 0);
  for (const std::string &line : split(text, '\n')) {
    const std::string shown = printable(line, true) + "\n";
    if (source.size() + shown.size() > kMemorySourceBytes - kCut.size())
      return source + std::string(kCut);
    source += shown;
  }
  return trim(source).empty() ? "" : source;
}

void to_json(json &object, const MemoryItem &item) {
  object = {{"id", item.id},           {"title", item.title},       {"changes", item.changes},
            {"words", item.words},     {"bounds", item.bounds},     {"level", item.level},
            {"family", item.family},   {"agent", item.agent},       {"ratio", item.speedup.ratio},
            {"low", item.speedup.low}, {"high", item.speedup.high}, {"interval", item.speedup.isInterval},
            {"seen", item.seen},       {"uses", item.uses}};
  for (const auto &[name, text] :
       {std::pair("change", &item.change), std::pair("reason", &item.reason), std::pair("before", &item.before),
        std::pair("after", &item.after), std::pair("kernel", &item.kernel)})
    if (!text->empty())
      object[name] = *text;
}

void from_json(const json &object, MemoryItem &item) {
  item = MemoryItem();
  item.id = object.value("id", "");
  item.title = object.at("title").get<std::string>();
  item.change = object.value("change", "");
  item.reason = object.value("reason", "");
  item.before = object.value("before", "");
  item.after = object.value("after", "");
  item.changes = listOf(object, "changes");
  item.words = object.at("words").get<std::vector<std::string>>();
  item.bounds = listOf(object, "bounds");
  item.kernel = object.value("kernel", "");
  item.level = object.value("level", "");
  item.family = object.value("family", "");
  item.agent = object.value("agent", "");
  item.speedup.ratio = object.at("ratio").get<double>();
  item.speedup.low = object.value("low", item.speedup.ratio);
  item.speedup.high = object.value("high", item.speedup.ratio);
  item.speedup.isInterval = object.value("interval", false);
  const auto count = [&](const char *name, int usual) {
    return static_cast<int>(std::clamp(object.value(name, double{1} * usual), -1.0, 1e9));
  };
  item.seen = count("seen", 1);
  item.uses = count("uses", 0);
}

} // namespace agentic
