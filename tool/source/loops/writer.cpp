#include "tool/source/loops/writer.h"

#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"

#include <algorithm>

namespace agentic::moves {

std::string castTo(std::string_view type, std::string_view text) {
  return "static_cast<" + std::string(type) + ">(" + std::string(text) + ")";
}

void Writer::line(std::string_view text) {
  const std::vector<std::string> lines = split(text, '\n');
  std::size_t common = std::string::npos;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (!trim(lines[i]).empty())
      common = std::min(common, lines[i].find_first_not_of(" \t"));
  // The rest of a block aligns with its first line; that of an expression is indented.
  const std::string extra = trim(lines.back()).starts_with("}") ? "" : "    ";
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (const std::string_view content = trim(lines[i]); i == 0)
      text_ += indent_ + std::string(content) + "\n";
    else if (!content.empty())
      text_ +=
          indent_ + extra + std::string(lines[i].find_first_not_of(" \t") - common, ' ') + std::string(content) + "\n";
}

std::string applyEdits(std::string_view text, Range range, const std::vector<Edit> &edits) {
  std::string result;
  std::size_t position = range.begin;
  for (const Edit &edit : edits) {
    if (edit.range.begin < position || edit.range.end > range.end)
      continue;
    result += text.substr(position, edit.range.begin - position);
    result += edit.text;
    position = edit.range.end;
  }
  result += text.substr(position, range.end - position);
  return result;
}

std::string indentationAt(std::string_view text, std::size_t offset) {
  const std::size_t lineBreak = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = lineBreak == std::string_view::npos ? 0 : lineBreak + 1;
  std::size_t end = begin;
  while (end < offset && (text[end] == ' ' || text[end] == '\t'))
    ++end;
  return std::string(text.substr(begin, end - begin));
}

bool FreshNames::isTaken(std::string_view name) const {
  return mentionsName(text_, name) || std::ranges::find(made_, name) != made_.end();
}

std::string FreshNames::make(const std::string &wish) {
  std::string name = wish;
  for (int number = 2; isTaken(name); ++number)
    name = wish + "_" + std::to_string(number);
  made_.push_back(name);
  return name;
}

} // namespace agentic::moves
