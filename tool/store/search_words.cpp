#include "tool/store/search_words.h"

#include "tool/base/text.h"

#include <cctype>
#include <set>

namespace agentic {
namespace {

constexpr std::size_t kLongestWord = 64, kStem = 5;

bool isUpper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool isLower(char c) {
  return c >= 'a' && c <= 'z';
}

} // namespace

std::vector<std::string> searchWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty() && word.size() <= kLongestWord)
      words.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!isUpper(c) && !isLower(c) && !isDigit(c)) {
      end();
      continue;
    }
    // "halfToFloat": at T and F; "HTMLParser": at P, in front of the lower case.
    const bool isHump = isUpper(c) && i > 0 &&
                        (isLower(text[i - 1]) || (isUpper(text[i - 1]) && i + 1 < text.size() && isLower(text[i + 1])));
    if (isHump)
      end();
    if (word.size() <= kLongestWord)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  end();
  return words;
}

std::string wordText(std::string_view text) {
  return join(searchWords(text), " ");
}

std::vector<std::string> questionWords(std::string_view text, std::size_t most) {
  std::vector<std::string> words;
  std::set<std::string> seen;
  for (const std::string &word : searchWords(text))
    if (word.size() >= 2 && words.size() < most && seen.insert(word).second)
      words.push_back(word);
  return words;
}

std::string anyOf(const std::vector<std::string> &words) {
  return words.empty() ? "" : "\"" + join(words, "\" OR \"") + "\"";
}

std::string stemOf(std::string_view word) {
  if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss"))
    word.remove_suffix(1);
  return std::string(word.substr(0, kStem));
}

} // namespace agentic
