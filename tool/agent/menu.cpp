#include "tool/agent/menu.h"

#include "tool/base/hash.h"
#include "tool/base/text.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace agentic {
namespace {

struct MenuPart {
  bool isItem = false;
  std::string text;
  double draw = 1; ///< of an item: from 0 to below 1
};

/// Returns the length of a fence that the line opens or closes; 0: it does neither.
std::size_t fenceOf(std::string_view line) {
  const std::string_view bare = trim(line);
  const std::size_t length = std::min(bare.find_first_not_of('`'), bare.size());
  return length >= 3 ? length : 0;
}

std::vector<MenuPart> partsOf(std::string_view list) {
  std::vector<MenuPart> parts;
  std::size_t fence = 0; // of the one that is open
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find('\n', begin), list.size() - 1) + 1;
    const std::string_view line = list.substr(begin, end - begin);
    begin = end;
    const bool isItem = fence == 0 && line.starts_with("- ");
    const std::size_t length = fenceOf(line);
    const bool isHeading = fence == 0 && length == 0 && !isItem && !line.starts_with(' ') && !trim(line).empty();
    if (fence == 0 || length >= fence)
      fence = fence == 0 ? length : 0;
    if (parts.empty() || isItem || (isHeading && parts.back().isItem))
      parts.push_back({.isItem = isItem, .text = {}});
    parts.back().text += line;
  }
  return parts;
}

} // namespace

std::string thinnedMenu(std::string_view list, double dropout, const RunState &state, std::string_view role) {
  if (!(dropout > 0) || state.ask.strategy.empty())
    return std::string(list);
  std::vector<MenuPart> parts = partsOf(list);
  const std::string question =
      std::to_string(state.seed) + " " + std::to_string(state.asked.size()) + " " + std::string(role) + " ";
  MenuPart *last = nullptr; // which is left out last
  for (MenuPart &part : parts) {
    if (!part.isItem)
      continue;
    part.draw =
        static_cast<double>(std::strtoul(sha256(question + part.text).substr(0, 8).c_str(), nullptr, 16)) * 0x1p-32;
    if (!last || part.draw > last->draw)
      last = &part;
  }
  std::string text, heading;
  for (const MenuPart &part : parts)
    if (!part.isItem)
      heading = part.text;
    else if (&part == last || part.draw >= dropout)
      text += std::exchange(heading, {}) + part.text;
  return last ? text : std::string(list);
}

} // namespace agentic
