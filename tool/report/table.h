// Tables of short cells as text and as Markdown, and the escapes of the formats that reports are written in. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

using Cells = std::vector<std::string>;

/// Columns aligned, the first `left` of them to the left, the others to the right; two spaces between, none at the end.
/// The first line is the header. Cells are printable.
std::string alignedTable(const std::vector<Cells> &lines, std::size_t left);

/// The same with a letter for each column: 'l' or 'r'.
std::string alignedTable(const std::vector<Cells> &lines, std::string_view sides);

/// Of each column, as a terminal shows it.
std::vector<std::size_t> columnWidths(const std::vector<Cells> &lines);

/// A GitHub table of the same lines; the first `left` columns of the rows are code spans and hold nothing to escape
/// ([A-Za-z0-9_.-]), all others are escaped.
std::string markdownTable(const std::vector<Cells> &lines, std::size_t left);

/// Text of ours that stays text within a table or a list: no markup, no new line.
std::string escapeMarkdown(std::string_view text);

/// Foreign text (of a model, a compiler, a test) as a code span: in one, hosts link no names and numbers either.
std::string codeSpan(std::string_view text);

/// A cell of CSV: quoted where it must be, and never a formula, which gets an apostrophe; nor does it become one where
/// a spreadsheet takes semicolons as separators. Control characters, line ends among them, become blanks.
std::string csvCell(std::string_view text);

/// Six digits; nothing for what is not known: an empty optional, a figure of 0 or less.
std::string csvNumber(const std::optional<double> &value);
std::string csvNumber(double figure);

/// For element content and attribute values; control characters, which XML cannot hold, become '?'.
std::string escapeXml(std::string_view text);

} // namespace agentic
