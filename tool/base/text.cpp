#include "tool/base/text.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <utility>

namespace agentic {
namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

} // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string_view::npos; begin = end + 1)
    parts.emplace_back(text.substr(begin, end - begin));
  parts.emplace_back(text.substr(begin));
  return parts;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0)
      text += separator;
    text += parts[i];
  }
  return text;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string firstLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return text.starts_with(prefix); });
}

std::string replaceAll(std::string text, std::string_view from, std::string_view to) {
  if (from.empty())
    return text;
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(from, begin)) != std::string::npos; begin = at + from.size()) {
    result.append(text, begin, at - begin);
    result += to;
  }
  if (begin == 0)
    return text;
  result.append(text, begin);
  return result;
}

std::vector<std::string> splitCommandLine(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool hasNext = i + 1 < command.size();
    // Inside double quotes a backslash escapes only these; before others it is literal.
    const bool escapes =
        quote == 0 || (quote == '"' && hasNext && std::string_view("\"\\$`\n").contains(command[i + 1]));
    if (c == '\\' && quote != '\'' && hasNext && escapes) {
      if (command[++i] != '\n') {
        word += command[i];
        inWord = true;
      }
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inWord = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (inWord)
        words.push_back(std::move(word));
      word.clear();
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (inWord)
    words.push_back(std::move(word));
  return words;
}

std::string shellQuoted(std::string_view word) {
  const bool isPlain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("@%_+=:,./-#").find(char(c)) != std::string_view::npos;
  });
  if (isPlain && word.front() != '#')
    return std::string(word);
  return "'" + replaceAll(std::string(word), "'", "'\\''") + "'";
}

std::string fenceFor(std::string_view text) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string didYouMean(std::string_view word, std::span<const std::string> choices) {
  std::string best;
  std::size_t bestDistance = 0, bestBegin = 0;
  for (const std::string &choice : choices) {
    const std::size_t distance = editDistance(word, choice);
    const auto begin = static_cast<std::size_t>(std::ranges::mismatch(word, choice).in1 - word.begin());
    // Near is: two typing errors, or a third of the letters ("chekc" → "check"), or half of them after a correct
    // beginning ("insite" → "insight"); but no word that shares no letter with it.
    const bool isNear = distance <= std::max<std::size_t>(word.size() / 3, 2) ||
                        (2 * begin > word.size() && 2 * distance <= word.size());
    if (!isNear || distance >= word.size())
      continue;
    // One typing error weighs as much as two more letters at the beginning.
    if (best.empty() || std::pair(2 * distance + bestBegin, bestBegin) < std::pair(2 * bestDistance + begin, begin)) {
      best = choice;
      bestDistance = distance;
      bestBegin = begin;
    }
  }
  return best;
}

std::string orMeant(std::string_view word, std::span<const std::string> choices) {
  const std::string meant = didYouMean(word, choices);
  return meant.empty() ? meant : "; did you mean '" + meant + "'?";
}

std::string meantOr(std::string_view word, std::span<const std::string> choices, std::string otherwise) {
  const std::string meant = didYouMean(word, choices);
  return meant.empty() ? otherwise : "did you mean '" + meant + "'?";
}

LineColumn lineColumn(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t lastBreak = before.rfind('\n');
  LineColumn place;
  place.line = 1 + static_cast<unsigned>(std::count(before.begin(), before.end(), '\n'));
  place.column = 1 + static_cast<unsigned>(before.size() - (lastBreak == std::string_view::npos ? 0 : lastBreak + 1));
  return place;
}

std::string validUtf8(std::string text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : (lead & 0xF0) == 0xE0       ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    bool isValid = length > 0 && i + length <= text.size();
    for (std::size_t k = 1; isValid && k < length; ++k)
      isValid = (static_cast<unsigned char>(text[i + k]) & 0xC0) == 0x80;
    if (isValid && length == 3) {
      const auto next = static_cast<unsigned char>(text[i + 1]);
      isValid = !(lead == 0xE0 && next < 0xA0) && !(lead == 0xED && next >= 0xA0);
    }
    if (isValid && length == 4) {
      const auto next = static_cast<unsigned char>(text[i + 1]);
      isValid = !(lead == 0xF0 && next < 0x90) && !(lead == 0xF4 && next >= 0x90);
    }
    if (!isValid)
      text[i] = '?';
    i += isValid ? length : 1;
  }
  return text;
}

} // namespace agentic
