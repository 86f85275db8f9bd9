// Cuts source text into tokens and directives with Clang's raw lexer: no preprocessing, no includes, so that any text
// can be split, parsable or not. Offsets are bytes of `text`, which must be LF-normalised. Cost: about 50 MB/s.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct LexToken {
  enum class Kind { Identifier, Number, String, Punctuation };
  Kind kind = Kind::Punctuation;
  std::size_t begin = 0, end = 0;
};

/// One directive with its continuation lines.
struct LexDirective {
  std::size_t begin = 0, end = 0; ///< from '#' to the last character, line end excluded
  std::string keyword;            ///< "include", "if"; "" for the null directive and GNU line markers
  std::vector<LexToken> tokens;   ///< after the keyword
  std::size_t nextToken = 0;      ///< index in LexedText::tokens of the first token after it
};

struct LexedText {
  std::string_view text;
  std::vector<LexToken> tokens; ///< outside directives, comments dropped
  std::vector<LexDirective> directives;

  std::string_view spelling(const LexToken &token) const { return text.substr(token.begin, token.end - token.begin); }
  std::string_view spelling(std::size_t index) const {
    return index < tokens.size() ? spelling(tokens[index]) : std::string_view();
  }
  bool is(std::size_t index, std::string_view what) const { return spelling(index) == what; }
  bool isIdentifier(std::size_t index) const {
    return index < tokens.size() && tokens[index].kind == LexToken::Kind::Identifier;
  }
  /// Returns the index of the first token that begins at or after `offset`.
  std::size_t tokenAt(std::size_t offset) const;
  /// Returns the index of the bracket that closes the one at `open` ( ( [ { ); tokens.size() if none does.
  std::size_t closing(std::size_t open) const;
  /// Returns the index of the bracket that opens the one at `close`; npos if none does.
  std::size_t opening(std::size_t close) const;
};

/// Lexes `text`, which must outlive the result.
LexedText lexText(std::string_view text);

/// Returns all token spellings of `text`, directives included, joined by blanks: equal for texts that differ in
/// comments and layout only.
std::string tokenText(std::string_view text);

bool isConditionalDirective(std::string_view keyword);

/// The conditionals of a text: indices of their directives.
struct Conditionals {
  std::vector<std::vector<std::size_t>> groups; ///< `#if … #endif`, inner ones before outer ones
  std::vector<std::vector<std::size_t>> open;   ///< without #endif
  std::vector<std::size_t> strays;              ///< without #if
};
Conditionals conditionalsOf(const LexedText &lexed);

/// Returns whether the word is a keyword of C++.
bool isKeyword(std::string_view word);

/// Returns whether two tokens need a blank between them, whatever the text was like: the last character of one and the
/// first of the other.
bool wouldJoin(char last, char first);

} // namespace agentic
