#include "tool/agent/reply_parser.h"

#include "tool/base/text.h"

#include <optional>

namespace agentic {
namespace {

struct Fence {
  char character = '`';
  std::size_t length = 0, indent = 0;
  std::string_view rest;
};

/// Parses "   ```cpp fast.cpp"; nullopt for any other line.
std::optional<Fence> fenceIn(std::string_view line) {
  Fence fence;
  fence.indent = line.find_first_not_of(" \t");
  if (fence.indent == std::string_view::npos)
    return std::nullopt;
  line.remove_prefix(fence.indent);
  fence.character = line.front();
  if (fence.character != '`' && fence.character != '~')
    return std::nullopt;
  fence.length = std::min(line.find_first_not_of(fence.character), line.size());
  fence.rest = trim(line.substr(fence.length));
  // Inline code such as ```x``` opens nothing.
  if (fence.length < 3 || (fence.character == '`' && fence.rest.find('`') != std::string_view::npos))
    return std::nullopt;
  return fence;
}

bool closes(const Fence &fence, const Fence &open) {
  return fence.character == open.character && fence.length >= open.length && fence.rest.empty();
}

/// Removes as much indentation as the fence has: a block within a list.
std::string_view unindented(std::string_view line, std::size_t indent) {
  std::size_t blanks = 0;
  while (blanks < indent && blanks < line.size() && (line[blanks] == ' ' || line[blanks] == '\t'))
    ++blanks;
  return line.substr(blanks);
}

} // namespace

std::vector<FencedBlock> fencedBlocks(std::string_view text) {
  std::vector<FencedBlock> blocks;
  std::optional<Fence> open;
  std::string_view before;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    const std::optional<Fence> fence = fenceIn(line);
    if (open && fence && closes(*fence, *open)) {
      blocks.back().isClosed = true;
      open.reset();
      before = {};
    } else if (open) {
      blocks.back().text += unindented(line, open->indent);
      blocks.back().text += '\n';
    } else if (fence) {
      open = fence;
      blocks.push_back({std::string(fence->rest), std::string(before), {}, false});
    } else if (!trim(line).empty()) {
      before = trim(line);
    }
  }
  return blocks;
}

} // namespace agentic
