// Cuts a candidate's text into pieces that it may be able to do without: directives, statements at every depth, headers
// of blocks, attributes, and calls for which plain code can stand. By tokens alone, so that any text can be cut;
// whether what is left still means the same is for others to judge. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace agentic {

enum class PieceKind { Directive, Attribute, Statement, Header, Call };

/// One change that makes a text shorter: `text` in the place of [begin, end).
struct TextPiece {
  PieceKind kind = PieceKind::Statement;
  std::size_t begin = 0, end = 0;
  std::string text;      ///< what stays: nothing, the body behind a header, the plain code of a call
  std::size_t depth = 0; ///< pieces of one kind and depth do not overlap
  /// The language permits to leave it out: hints for the compiler, and calls whose plain code computes the same. Else
  /// only identical object code shows that nothing was lost, because tests may not notice.
  bool isHint = false;
  std::string shown; ///< its first words, in one line
};

/// All pieces of the text, by kind and depth, then in order. Never among them: includes and conditionals, which other
/// compilers and headers may need, and assertions, which are for readers.
std::vector<TextPiece> piecesOf(const std::string &text);

/// Returns the text without these pieces of one kind and depth, in order. A statement takes its line with it, the
/// comment behind it and the comment lines right above it.
std::string withoutPieces(const std::string &text, std::span<const TextPiece> pieces);

} // namespace agentic
