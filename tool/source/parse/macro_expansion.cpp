#include "tool/source/parse/macro_expansion.h"

#include "tool/base/text.h"

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kMostTokens = 20000; // texts are hostile

} // namespace

std::optional<Macro> macroOf(const LexedText &lexed, const LexDirective &directive) {
  const std::vector<LexToken> &tokens = directive.tokens;
  Macro macro;
  std::size_t at = 1;
  macro.takesArguments = tokens.size() > 1 && lexed.spelling(tokens[1]) == "(" && tokens[1].begin == tokens[0].end;
  if (macro.takesArguments)
    for (at = 2;; ++at) {
      if (at >= tokens.size())
        return std::nullopt;
      const std::string_view text = lexed.spelling(tokens[at]);
      if (text == ")") {
        ++at;
        break;
      }
      if (text == "...") {
        macro.isVariadic = true;
        macro.parameters.push_back("__VA_ARGS__");
      } else if (tokens[at].kind == LexToken::Kind::Identifier && !macro.isVariadic) {
        macro.parameters.push_back(text);
      } else if (text != ",") {
        return std::nullopt;
      }
    }
  for (const std::size_t first = at; at < tokens.size(); ++at) {
    const std::string_view text = lexed.spelling(tokens[at]);
    if (isOneOf(text, {"#", "##", "%:", "%:%:", "__VA_OPT__"}))
      return std::nullopt;
    macro.body.push_back({text,
                          at > first && tokens[at].begin != tokens[at - 1].end,
                          tokens[at].kind == LexToken::Kind::Identifier,
                          {}});
  }
  return macro;
}

Piece pieceAt(const LexedText &lexed, std::size_t token) {
  const bool isSpaced = token > 0 && lexed.tokens[token - 1].end != lexed.tokens[token].begin;
  return {lexed.spelling(token), isSpaced, lexed.isIdentifier(token), {}};
}

std::string spelled(const Pieces &pieces) {
  std::string text;
  for (const Piece &piece : pieces) {
    if (!text.empty() && (piece.isSpaced || wouldJoin(text.back(), piece.text.front())))
      text += ' ';
    text += piece.text;
  }
  return text;
}

std::optional<Pieces> MacroExpander::expandAt(std::size_t &next, std::size_t limit) {
  next_ = next;
  limit_ = limit;
  Pieces pending = {pieceAt(lexed_, next_++)}, output;
  const bool isDone = expand(pending, true, output);
  next = next_;
  return isDone ? std::optional(std::move(output)) : std::nullopt;
}

/// `fromText`: parentheses may come from the tokens behind.
bool MacroExpander::expand(Pieces &pending, bool fromText, Pieces &output) {
  while (!pending.empty()) {
    Piece piece = std::move(pending.front());
    pending.pop_front();
    const auto found = piece.isWord && !piece.hidden.contains(piece.text) ? active_.find(piece.text) : active_.end();
    if (piece.isWord && lost_.contains(piece.text))
      return false;
    const bool isCalled = found != active_.end() && found->second.takesArguments;
    if (found == active_.end() || (isCalled && nextText(pending, fromText) != "(")) {
      output.push_back(std::move(piece));
      continue;
    }
    const Macro &macro = found->second;
    std::vector<Pieces> arguments;
    std::set<std::string_view> hidden = piece.hidden;
    if (isCalled && !takeArguments(pending, fromText, macro, arguments, hidden))
      return false;
    hidden.insert(found->first);
    Pieces body;
    if (!substitute(macro, arguments, hidden, body))
      return false;
    if (!body.empty())
      body.front().isSpaced = piece.isSpaced;
    pending.insert(pending.begin(), body.begin(), body.end());
  }
  return true;
}

std::string_view MacroExpander::nextText(const Pieces &pending, bool fromText) const {
  if (!pending.empty())
    return pending.front().text;
  return fromText && next_ < limit_ ? lexed_.spelling(next_) : std::string_view();
}
std::optional<Piece> MacroExpander::take(Pieces &pending, bool fromText) {
  if (pending.empty() && (!fromText || next_ >= limit_))
    return std::nullopt;
  if (pending.empty())
    return pieceAt(lexed_, next_++);
  Piece piece = std::move(pending.front());
  pending.pop_front();
  return piece;
}

/// Of the names that may not expand again, those stay that the closing parenthesis has, too.
bool MacroExpander::takeArguments(Pieces &pending, bool fromText, const Macro &macro, std::vector<Pieces> &arguments,
                                   std::set<std::string_view> &hidden) {
  take(pending, fromText); // (
  arguments.emplace_back();
  for (int depth = 0;;) {
    std::optional<Piece> piece = take(pending, fromText);
    if (!piece || ++produced_ > kMostTokens)
      return false;
    if (piece->text == ")" && depth == 0) {
      std::erase_if(hidden, [&](std::string_view name) { return !piece->hidden.contains(name); });
      break;
    }
    const bool isLast = macro.isVariadic && arguments.size() == macro.parameters.size();
    if (piece->text == "," && depth == 0 && !isLast) {
      arguments.emplace_back();
      continue;
    }
    depth += piece->text == "(" ? 1 : piece->text == ")" ? -1 : 0;
    arguments.back().push_back(std::move(*piece));
  }
  if (macro.parameters.empty())
    return arguments.size() == 1 && arguments[0].empty();
  if (macro.isVariadic && arguments.size() + 1 == macro.parameters.size())
    arguments.emplace_back();
  return arguments.size() == macro.parameters.size();
}

bool MacroExpander::substitute(const Macro &macro, const std::vector<Pieces> &arguments,
                                const std::set<std::string_view> &hidden, Pieces &body) {
  std::vector<std::optional<Pieces>> expanded(arguments.size());
  for (const Piece &piece : macro.body) {
    const auto parameter = std::ranges::find(macro.parameters, piece.text);
    if (!piece.isWord || parameter == macro.parameters.end()) {
      add(piece, piece.isSpaced, hidden, body);
    } else {
      const auto i = static_cast<std::size_t>(parameter - macro.parameters.begin());
      if (!expanded[i]) {
        Pieces argument = arguments[i];
        expanded[i].emplace();
        if (!expand(argument, false, *expanded[i]))
          return false;
      }
      bool isFirst = true;
      for (const Piece &part : *expanded[i]) {
        add(part, isFirst ? piece.isSpaced : part.isSpaced, hidden, body);
        isFirst = false;
      }
    }
    if (produced_ > kMostTokens)
      return false;
  }
  return true;
}

void MacroExpander::add(const Piece &piece, bool isSpaced, const std::set<std::string_view> &hidden, Pieces &body) {
  ++produced_;
  Piece &added = body.emplace_back(piece);
  added.isSpaced = isSpaced;
  added.hidden.insert(hidden.begin(), hidden.end());
}

} // namespace agentic
