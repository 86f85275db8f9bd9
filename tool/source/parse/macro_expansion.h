// Expands uses of object-like and function-like macros in a sequence of tokens as a preprocessor does: arguments first,
// then the result again with the tokens behind it, and no name that comes from itself. Macros that paste or stringize
// are none of these. Pure.
#pragma once

#include "tool/source/parse/lexed_text.h"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// A token on its way through the expansion. The views refer to the lexed text.
struct Piece {
  std::string_view text;
  bool isSpaced = false, isWord = false;
  std::set<std::string_view> hidden; ///< macros that it came from: they do not expand again
};
using Pieces = std::deque<Piece>;

struct Macro {
  bool takesArguments = false, isVariadic = false;
  std::vector<std::string_view> parameters;
  Pieces body;
  std::size_t branch = 0; ///< of the conditional in which it was defined; 0: of none
};

/// Reads the tokens behind `#define`; nullopt if they are none, or such a macro is not expanded.
std::optional<Macro> macroOf(const LexedText &lexed, const LexDirective &directive);

Piece pieceAt(const LexedText &lexed, std::size_t token);

/// Returns the pieces as text, apart where they would become one token.
std::string spelled(const Pieces &pieces);

class MacroExpander {
public:
  /// `active`: the macros that are defined; `lost`: names of which nobody knows. Both may change between uses.
  MacroExpander(const LexedText &lexed, const std::map<std::string_view, Macro> &active,
                 const std::set<std::string_view> &lost)
      : lexed_(lexed), active_(active), lost_(lost) {}

  /// Expands the use at token `next`, with the tokens behind it that it takes, up to `limit`; moves `next` behind them.
  /// nullopt: a lost name, wrong arguments, or more than 20,000 tokens in all.
  std::optional<Pieces> expandAt(std::size_t &next, std::size_t limit);

private:
  bool expand(Pieces &pending, bool fromText, Pieces &output);
  std::string_view nextText(const Pieces &pending, bool fromText) const;
  std::optional<Piece> take(Pieces &pending, bool fromText);
  bool takeArguments(Pieces &pending, bool fromText, const Macro &macro, std::vector<Pieces> &arguments,
                     std::set<std::string_view> &hidden);
  bool substitute(const Macro &macro, const std::vector<Pieces> &arguments, const std::set<std::string_view> &hidden,
                  Pieces &body);
  void add(const Piece &piece, bool isSpaced, const std::set<std::string_view> &hidden, Pieces &body);

  const LexedText &lexed_;
  const std::map<std::string_view, Macro> &active_;
  const std::set<std::string_view> &lost_;
  std::size_t next_ = 0, limit_ = 0; ///< tokens of the text
  std::size_t produced_ = 0;
};

} // namespace agentic
