// How much of a text goes with a piece: whole lines, blanks and comments that belong to it alone.
#pragma once

#include "tool/source/candidate/pieces.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace agentic {

class PieceExtents {
public:
  explicit PieceExtents(const std::string &text); ///< must outlive the result

  std::pair<std::size_t, std::size_t> of(const TextPiece &piece) const;

private:
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  std::vector<Range> commentsBetween(std::size_t begin, std::size_t end) const;
  Range between(std::size_t begin, std::size_t end) const;
  std::size_t commentsAbove(std::size_t previous, std::size_t line) const;
  bool isBlankBefore(std::size_t line) const;

  const std::string &text_;
  std::vector<Range> code_; ///< tokens and directives, in order
};

} // namespace agentic
