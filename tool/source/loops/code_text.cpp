#include "tool/source/loops/code_text.h"

namespace agentic::moves {

bool isName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, isWordCharacter);
}

bool isClosed(std::string_view expression) {
  constexpr std::string_view kCast = "static_cast<";
  if (isName(expression))
    return true;
  const bool isCast = expression.starts_with(kCast);
  const std::size_t open = expression.find(isCast ? '(' : '[');
  const char last = isCast ? ')' : ']';
  if (open == std::string_view::npos || (!isCast && !isName(expression.substr(0, open))))
    return false;
  int depth = 0;
  for (std::size_t at = open; at < expression.size(); ++at) {
    depth += expression[at] == expression[open] ? 1 : expression[at] == last ? -1 : 0;
    if (depth == 0)
      return at + 1 == expression.size();
  }
  return false;
}

std::string closed(const std::string &expression) {
  return isClosed(expression) ? expression : "(" + expression + ")";
}

std::string capitalised(std::string name) {
  if (!name.empty())
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

std::size_t findName(std::string_view text, std::string_view name, std::size_t from) {
  for (std::size_t at = text.find(name, from); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !isWordCharacter(text[at - 1])) && (end == text.size() || !isWordCharacter(text[end])))
      return at;
  }
  return std::string_view::npos;
}

bool mentionsName(std::string_view text, std::string_view name) {
  return findName(text, name) != std::string_view::npos;
}

std::size_t countName(std::string_view text, std::string_view name) {
  std::size_t count = 0;
  for (std::size_t at = findName(text, name); at != std::string_view::npos; at = findName(text, name, at + 1))
    ++count;
  return count;
}

bool hasWholeBlocks(std::string_view text) {
  int depth = 0, lowest = 0;
  forEachCodeCharacter(text, 0, text.size(), [&](std::size_t at) {
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    lowest = std::min(lowest, depth);
  });
  return depth == 0 && lowest == 0;
}

std::size_t declarationBegin(std::string_view text, std::size_t bodyBegin) {
  std::size_t begin = 0, lineEnd = 0;
  int depth = 0;
  forEachCodeCharacter(text, 0, bodyBegin, [&](std::size_t at) {
    const char c = text[at];
    if (at < lineEnd)
      return; // in a directive
    if (c == '#') {
      lineEnd = text.find('\n', at);
      while (lineEnd != std::string_view::npos && text[lineEnd - 1] == '\\')
        lineEnd = text.find('\n', lineEnd + 1);
      begin = lineEnd = std::min(lineEnd, bodyBegin);
    }
    depth += c == '{' || c == '(';
    depth -= c == '}' || c == ')';
    if (depth == 0 && (c == ';' || c == '}'))
      begin = at + 1;
  });
  return begin;
}

bool isInBlock(std::string_view text, std::size_t bodyBegin, std::size_t offset) {
  char last = 0;
  forEachCodeCharacter(text, bodyBegin, offset, [&](std::size_t at) { last = text[at]; });
  return last == '{' || last == '}' || last == ';';
}

} // namespace agentic::moves
