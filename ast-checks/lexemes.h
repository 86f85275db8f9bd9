// The lexical view of the unit's own text: every token and directive, those in skipped `#if` blocks included. Made with
// Clang's raw lexer, so splices, digraphs, comments and raw strings mean the same as for the compiler.
#pragma once

#include "ast-checks/checks.h"

#include <cstddef>
#include <string>
#include <vector>

namespace agentic::checks {

struct RawToken {
  enum class Kind { Identifier, Number, String, Paste, Other };
  Kind kind = Kind::Other;
  std::size_t begin = 0, end = 0; ///< bytes in the unit
  std::string spelling;           ///< without line splices
  bool startsLine = false;
};

struct Directive {
  std::size_t offset = 0;          ///< place of the `#`
  std::string name;                ///< "include"; "" for the null directive; "line marker" for `# 12 "file"`
  std::vector<RawToken> arguments; ///< the tokens after the name
  std::string argumentText;        ///< exact text from the first argument to the last
};

/// Sorted, merged ranges of the text that the rules apply to.
class OwnRanges {
public:
  OwnRanges(const std::vector<OwnText> &own, std::size_t textSize);
  bool contains(std::size_t offset) const;
  bool intersects(std::size_t begin, std::size_t end) const; ///< [begin, end]
  const std::vector<OwnText> &all() const { return ranges_; }

private:
  std::vector<OwnText> ranges_;
};

struct Lexemes {
  std::vector<RawToken> tokens; ///< tokens of own text, comments left out, directives' tokens included
  std::vector<Directive> directives;

  /// Returns whether it is in a condition, not in the text of a macro: that is code when the macro is used.
  bool isInDirective(std::size_t offset) const;
};

/// Lexes the whole text (comments and strings need their beginning) and keeps the tokens that start in `own`. < 1 ms.
Lexemes lexOwnText(const std::string &text, const OwnRanges &own);

/// Returns the tokens of a short text such as the operand of _Pragma.
std::vector<RawToken> lexSnippet(const std::string &text);

/// Returns the value of a plain string literal ("omp simd" for "\"omp simd\""); empty if it is none.
std::string plainLiteral(const std::string &spelling);

} // namespace agentic::checks
