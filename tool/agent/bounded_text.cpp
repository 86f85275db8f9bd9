#include "tool/agent/bounded_text.h"

namespace agentic {
namespace {

constexpr std::string_view kEllipsis = "…";

bool isContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

} // namespace

std::string boundedText(std::string_view text, std::size_t most) {
  if (text.size() <= most)
    return std::string(text);
  std::size_t end = most > kEllipsis.size() ? most - kEllipsis.size() : 0;
  while (end > 0 && isContinuation(text[end]))
    --end;
  return std::string(text.substr(0, end)) + std::string(kEllipsis);
}

std::string printableText(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    if (isControl(c) && c != '\n' && c != '\t')
      c = ' ';
  return result;
}

std::string oneLine(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool isBlank = c == ' ' || isControl(c);
    if (!isBlank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (result.ends_with(' '))
    result.pop_back();
  return result;
}

} // namespace agentic
