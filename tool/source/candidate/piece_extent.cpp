#include "tool/source/candidate/piece_extent.h"

#include "tool/source/parse/lexed_text.h"

#include <algorithm>
#include <string_view>

namespace agentic {
namespace {

std::size_t lineBegin(const std::string &text, std::size_t at) {
  const std::size_t end = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return end == std::string::npos ? 0 : end + 1;
}

std::size_t lineEnd(const std::string &text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

} // namespace

PieceExtents::PieceExtents(const std::string &text) : text_(text) {
  const LexedText lexed = lexText(text);
  for (const LexToken &token : lexed.tokens)
    code_.push_back({token.begin, token.end});
  for (const LexDirective &directive : lexed.directives)
    code_.push_back({directive.begin, directive.end});
  std::ranges::sort(code_, {}, &Range::begin);
}

/// Returns the room around [begin, end): from the code before it to the code behind it.
PieceExtents::Range PieceExtents::between(std::size_t begin, std::size_t end) const {
  const auto inside = std::ranges::lower_bound(code_, begin, {}, &Range::begin);
  const auto behind = std::ranges::lower_bound(code_, end, {}, &Range::begin);
  return {inside == code_.begin() ? 0 : (inside - 1)->end, behind == code_.end() ? text_.size() : behind->begin};
}

/// There is nothing but blanks and comments between code.
std::vector<PieceExtents::Range> PieceExtents::commentsBetween(std::size_t begin, std::size_t end) const {
  std::vector<Range> comments;
  for (std::size_t at = begin; at < end; ++at) {
    if (text_[at] != '/')
      continue;
    const bool isLine = text_.compare(at, 2, "//") == 0;
    const std::size_t close = isLine ? lineEnd(text_, at) : text_.find("*/", at + 2);
    const std::size_t after = std::min(end, isLine || close == std::string::npos ? close : close + 2);
    comments.push_back({at, after});
    at = after - 1;
  }
  return comments;
}

/// Returns where the comment lines begin that end right above `line`; `previous`: end of the code before them.
std::size_t PieceExtents::commentsAbove(std::size_t previous, std::size_t line) const {
  std::vector<Range> comments = commentsBetween(previous, line);
  for (auto comment = comments.rbegin(); comment != comments.rend(); ++comment) {
    const std::size_t own = lineBegin(text_, comment->begin);
    const bool isAlone = text_.find_first_not_of(" \t", own) == comment->begin;
    if (!isAlone || lineEnd(text_, comment->end) + 1 != line)
      break;
    line = own;
  }
  return line;
}

bool PieceExtents::isBlankBefore(std::size_t line) const {
  return line == 0 || (line >= 2 && text_[line - 2] == '\n') || (line >= 2 && text_[line - 2] == '{');
}

std::pair<std::size_t, std::size_t> PieceExtents::of(const TextPiece &piece) const {
  if (!piece.text.empty())
    return {piece.begin, piece.end};
  const Range room = between(piece.begin, piece.end);
  std::size_t begin = lineBegin(text_, piece.begin), end = lineEnd(text_, piece.end);
  const std::vector<Range> behind = commentsBetween(piece.end, room.end);
  const bool runsOn =
      std::ranges::any_of(behind, [&](const Range &comment) { return comment.begin < end && end < comment.end; });
  const bool hasOwnLines = room.begin <= begin && (room.end >= end || room.end == text_.size()) && !runsOn &&
                           text_.find_first_not_of(" \t", begin) == piece.begin;
  if (!hasOwnLines) {
    if (lineEnd(text_, piece.end) == piece.end && room.begin < piece.begin) // nothing behind it: no blank before it
      return {std::max(room.begin, text_.find_last_not_of(" \t", piece.begin - 1) + 1), piece.end};
    const bool hasBlank = piece.end < text_.size() && text_[piece.end] == ' ' && piece.begin > 0 &&
                          std::string_view(" \n\t([*&").find(text_[piece.begin - 1]) != std::string_view::npos;
    return {piece.begin, piece.end + (hasBlank ? 1 : 0)};
  }
  begin = commentsAbove(room.begin, begin);
  end = std::min(end + 1, text_.size());
  if (isBlankBefore(begin) && end < text_.size() && text_[end] == '\n')
    ++end; // else two blank lines would follow each other
  const std::size_t next = text_.find_first_not_of(" \t", end);
  if (begin >= 2 && text_[begin - 2] == '\n' && next < text_.size() && text_[next] == '}')
    --begin; // nor is there one at the end of a block
  return {begin, end};
}

} // namespace agentic
