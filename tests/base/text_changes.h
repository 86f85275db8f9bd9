// Damage to texts, for the tests of what reads foreign ones.
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <string>

namespace agentic {

/// Makes one change at a random place: puts in a piece or a repetition, takes characters out, or cuts the text off. Its
/// draws and their order decide what the tests' seeds stand for.
inline void changeSomewhere(std::string &text, std::span<const char *const> pieces, std::mt19937 &random) {
  const std::size_t at = text.empty() ? 0 : random() % text.size();
  switch (random() % 5) {
  case 0:
    text.insert(at, pieces[random() % pieces.size()]);
    break;
  case 1:
    text.erase(at, 1 + random() % 8);
    break;
  case 2:
    text.insert(at, text.substr(at, random() % 40));
    break;
  case 3:
    if (!text.empty())
      text[at] = static_cast<char>(random() % 256);
    break;
  default:
    text.resize(at);
  }
}

} // namespace agentic
