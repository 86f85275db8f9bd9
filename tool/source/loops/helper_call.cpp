#include "tool/source/loops/helper_call.h"

#include <algorithm>

namespace agentic::moves {

std::size_t OpenText::size() const {
  std::size_t size = 0;
  for (const Piece &piece : pieces)
    size += piece.text.size();
  return size;
}

std::string OpenText::with(const std::vector<std::string> &names) const {
  std::string text;
  for (const Piece &piece : pieces)
    text += piece.name ? names.at(*piece.name) : piece.text;
  return text;
}

std::size_t OpenText::count(std::size_t name) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(pieces, [&](const Piece &piece) { return piece.name == name; }));
}

} // namespace agentic::moves
