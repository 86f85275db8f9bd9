#include "tool/mcp/line_reader.h"

#include <utility>

namespace agentic::mcp {

std::vector<LineReader::Line> LineReader::take(std::string_view bytes) {
  std::vector<Line> lines;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (!isSkipping_ && rest_.size() + piece.size() > kMostLineBytes) {
      isSkipping_ = true;
      rest_ = {};
    }
    if (!isSkipping_)
      rest_ += piece;
    if (end == std::string_view::npos)
      break;
    bytes.remove_prefix(end + 1);
    if (rest_.ends_with('\r'))
      rest_.pop_back();
    if (isSkipping_)
      lines.push_back({.text = {}, .isTooLong = true});
    else if (rest_.find_first_not_of(" \t") != std::string::npos)
      lines.push_back({.text = std::move(rest_), .isTooLong = false});
    rest_ = {};
    isSkipping_ = false;
  }
  return lines;
}

} // namespace agentic::mcp
