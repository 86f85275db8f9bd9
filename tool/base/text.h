// Small text helpers that the standard library lacks.
#pragma once

#include <cctype>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string firstLine(std::string_view text); ///< without its line end
std::string lowered(std::string_view text);   ///< ASCII letters alone
inline bool isDigit(char c) {                 ///< of ASCII, whatever the locale
  return c >= '0' && c <= '9';
}
inline bool isWordCharacter(char c) { ///< of a name or number of C++
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words);
bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes);
std::string replaceAll(std::string text, std::string_view from, std::string_view to);

/// Splits a command line into words like a POSIX shell (quotes, backslashes; no expansion), for the `command` field of
/// compile_commands.json. An unclosed quote runs to the end.
std::vector<std::string> splitCommandLine(std::string_view command);

/// Quotes a word for a POSIX shell, in single quotes only where it needs them.
std::string shellQuoted(std::string_view word);

/// Returns a fence of backticks, three or more, that nothing in the text ends.
std::string fenceFor(std::string_view text);

/// Returns the choice nearest to `word` by edit distance, if it is near enough to be meant; else an empty string.
std::string didYouMean(std::string_view word, std::span<const std::string> choices);
/// Returns the same as the end of a message that refuses the word: "; did you mean 'x'?", or an empty string.
std::string orMeant(std::string_view word, std::span<const std::string> choices);

/// Returns the next step after such a message: "did you mean 'x'?", or `otherwise` if nothing is near.
std::string meantOr(std::string_view word, std::span<const std::string> choices, std::string otherwise);

/// 1-based line and column of a byte offset.
struct LineColumn {
  unsigned line = 1, column = 1;
};
LineColumn lineColumn(std::string_view text, std::size_t offset);

/// Returns the text with bytes that are no UTF-8 as question marks: it can be shown, and sent as JSON.
std::string validUtf8(std::string text);

} // namespace agentic
