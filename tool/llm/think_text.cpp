#include "tool/llm/think_text.h"

#include "tool/base/text.h"

#include <array>

namespace agentic {
namespace {

struct Tags {
  std::string_view open, close;
};
constexpr std::array kTags = {Tags{"<think>", "</think>"}, Tags{"<thinking>", "</thinking>"}};

bool isFence(std::string_view line) {
  return line.starts_with("```") || line.starts_with("~~~");
}

/// Finds the close tag of a thought without an open tag.
std::size_t orphanedClose(std::string_view reply, std::string_view open, std::string_view close) {
  const std::size_t end = reply.find(close);
  if (end == std::string_view::npos || reply.substr(0, end).find(open) != std::string_view::npos)
    return std::string_view::npos;
  return end;
}

void add(std::string &thought, std::string_view more) {
  more = trim(more);
  if (more.empty())
    return;
  if (!thought.empty())
    thought += '\n';
  thought += more;
}

} // namespace

SplitThought splitThought(std::string_view reply) {
  SplitThought split;
  for (const Tags &tags : kTags)
    if (const std::size_t end = orphanedClose(reply, tags.open, tags.close); end != std::string_view::npos) {
      add(split.thought, reply.substr(0, end));
      reply.remove_prefix(end + tags.close.size());
    }
  const bool hadThought = !split.thought.empty();

  bool inFence = false;
  while (!reply.empty()) {
    const std::size_t newline = reply.find('\n');
    const std::size_t lineSize = newline == std::string_view::npos ? reply.size() : newline + 1;
    const std::string_view line = trim(reply.substr(0, lineSize));
    const Tags *opened = nullptr;
    for (const Tags &tags : kTags)
      if (!inFence && line.starts_with(tags.open))
        opened = &tags;
    if (!opened) {
      inFence = inFence != isFence(line);
      split.text += reply.substr(0, lineSize);
      reply.remove_prefix(lineSize);
      continue;
    }
    const std::size_t begin = reply.find(opened->open) + opened->open.size();
    const std::size_t end = reply.find(opened->close, begin);
    add(split.thought, reply.substr(begin, end == std::string_view::npos ? end : end - begin));
    reply.remove_prefix(end == std::string_view::npos ? reply.size() : end + opened->close.size());
  }
  if (hadThought || !split.thought.empty())
    split.text = std::string(trim(split.text));
  return split;
}

} // namespace agentic
