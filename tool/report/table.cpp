#include "tool/report/table.h"

#include "tool/base/terminal_text.h"
#include "tool/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {

std::vector<std::size_t> columnWidths(const std::vector<Cells> &lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells &line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], displayColumns(line[i]));
  return widths;
}

std::string alignedTable(const std::vector<Cells> &lines, std::string_view sides) {
  const std::vector<std::size_t> widths = columnWidths(lines);
  std::string text;
  for (const Cells &line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(widths[i] - displayColumns(line[i]), ' ');
      row += (i ? "  " : "") + (sides[i] == 'l' ? line[i] + blanks : blanks + line[i]);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string alignedTable(const std::vector<Cells> &lines, std::size_t left) {
  std::string sides(lines.front().size(), 'r');
  std::fill_n(sides.begin(), std::min(left, sides.size()), 'l');
  return alignedTable(lines, sides);
}

std::string markdownTable(const std::vector<Cells> &lines, std::size_t left) {
  std::string text = "| " + join(lines.front(), " | ") + " |\n|";
  for (std::size_t i = 0; i < lines.front().size(); ++i)
    text += i < left ? "---|" : "---:|";
  text += "\n";
  for (std::size_t line = 1; line < lines.size(); ++line) {
    text += "|";
    for (std::size_t i = 0; i < lines[line].size(); ++i) {
      const std::string &cell = lines[line][i];
      text += cell.empty() ? " |" : " " + (i < left ? "`" + cell + "`" : escapeMarkdown(cell)) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string escapeMarkdown(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '\r')
      continue;
    if (std::string_view("\\|*_`<").find(c) != std::string_view::npos)
      escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string codeSpan(std::string_view text) {
  std::string span = "`";
  for (char c : text)
    span += c == '`' ? '\'' : c == '\n' || c == '\r' || c == '|' ? ' ' : c;
  return span + "`";
}

std::string csvNumber(const std::optional<double> &value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}
std::string csvNumber(double figure) {
  return figure > 0 ? csvNumber(std::optional(figure)) : "";
}

std::string escapeXml(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return escaped;
}

std::string csvCell(std::string_view text) {
  std::string plain;
  std::size_t begin = 0; // start of the cell, for any separator
  bool isBlank = true;   // whether the cell is blank so far
  for (const char c : text) {
    const char shown = static_cast<unsigned char>(c) < ' ' || c == 0x7f ? ' ' : c;
    if (isBlank && std::string_view("=+-@").contains(shown))
      plain.insert(begin, "'");
    plain += shown;
    isBlank = shown == ';' || (isBlank && shown == ' ');
    if (shown == ';')
      begin = plain.size();
  }
  if (plain.find_first_of(",;\"'") == std::string::npos)
    return plain;
  std::string quoted = "\"";
  for (const char c : plain)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

} // namespace agentic
