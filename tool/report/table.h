// Tables of short cells as text and as Markdown, and the escapes of the reports' formats. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

using Cells = std::vector<std::string>;

/// Aligns columns, the first `left` of them to the left, the others to the right; two spaces between, none at the end.
/// The first line is the header. Cells are printable.
std::string alignedTable(const std::vector<Cells> &lines, std::size_t left);

/// Like alignedTable above, with a letter for each column: 'l' or 'r'.
std::string alignedTable(const std::vector<Cells> &lines, std::string_view sides);

/// Returns the width of each column on a terminal.
std::vector<std::size_t> columnWidths(const std::vector<Cells> &lines);

/// Returns a GitHub table of the lines; the first `left` columns of the rows are code spans and hold nothing to escape
/// ([A-Za-z0-9_.-]), all others are escaped.
std::string markdownTable(const std::vector<Cells> &lines, std::size_t left);

/// Escapes our own text so that it stays text within a table or a list: no markup, no new line.
std::string escapeMarkdown(std::string_view text);

/// Returns foreign text (of a model, a compiler, a test) as a code span: there, hosts link no names and numbers either.
std::string codeSpan(std::string_view text);

/// Returns a cell of CSV: quoted if necessary, and with an apostrophe if it would be a formula, also where a
/// spreadsheet takes semicolons as separators. Control characters, line ends among them, become blanks.
std::string csvCell(std::string_view text);

/// Returns six digits; empty for an unknown value: an empty optional, a figure of 0 or less.
std::string csvNumber(const std::optional<double> &value);
std::string csvNumber(double figure);

/// Escapes text for element content and attribute values; control characters, which XML cannot hold, become '?'.
std::string escapeXml(std::string_view text);

} // namespace agentic
