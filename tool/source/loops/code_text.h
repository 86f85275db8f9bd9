// Reads C++ text without parsing, for moves: words, braces, comments and literals.
#pragma once

#include "tool/base/text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace agentic::moves {

/// Returns whether the text is one name or number, and nothing else.
bool isName(std::string_view text);
std::string capitalised(std::string name);
/// Returns whether an expression needs no parentheses anywhere: a name or number, an element of what has a name, a
/// static_cast.
bool isClosed(std::string_view expression);
/// Returns the expression as it may stand anywhere.
std::string closed(const std::string &expression);

/// Returns the offset of the first whole word `name` at or after `from`, comments included; npos if there is none.
std::size_t findName(std::string_view text, std::string_view name, std::size_t from = 0);
bool mentionsName(std::string_view text, std::string_view name);
std::size_t countName(std::string_view text, std::string_view name);

/// Calls `visit` with the offset of every character of code between `begin` and `end` that is no white space; for a
/// literal only with its last character.
template <class Visit>
void forEachCodeCharacter(std::string_view text, std::size_t begin, std::size_t end, Visit visit) {
  for (std::size_t at = begin; at < end; ++at) {
    const char c = text[at];
    const bool isSeparator = c == '\'' && at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])); // 1'000
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), end);
    } else if (text.substr(at).starts_with("/*")) {
      at = std::min(text.find("*/", at + 2), end) + 1;
    } else if (c == '"' || (c == '\'' && !isSeparator)) {
      for (++at; at < end && text[at] != c; ++at)
        at += text[at] == '\\';
      visit(std::min(at, end - 1));
    } else if (c != ' ' && c != '\t' && c != '\n') {
      visit(at);
    }
  }
}

/// Returns whether every brace in `text` has its partner in it: statements of a body may be in blocks of their own, and
/// a part that begins or ends inside such a block cannot be separated from the rest of it.
bool hasWholeBlocks(std::string_view text);

/// Returns the begin of the function definition with this body: after the declarations and directives in front of it.
std::size_t declarationBegin(std::string_view text, std::size_t bodyBegin);

/// Returns whether a declaration may be put in front of the statement at `offset` without braces around both.
bool isInBlock(std::string_view text, std::size_t bodyBegin, std::size_t offset);

} // namespace agentic::moves
