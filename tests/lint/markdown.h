// Markdown as the tests of our documentation read it: links, anchors and tables, outside of code.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agentic::lint {

struct Link {
  unsigned line = 0;
  std::string target; ///< as written: "../cli/README.md#options"
};
std::vector<Link> linksIn(std::string_view text); ///< images included

/// The anchors that GitHub gives to headings: "time-limits", and "time-limits-1" for the second of that name.
std::set<std::string> anchorsIn(std::string_view text);

struct TableRow {
  std::vector<std::string> head, cells; ///< trimmed; "\|" is no end of a cell

  /// What this row is the reference entry of: the code spans of its first cell, each up to its first blank. A row that
  /// begins with anything but a code span is none.
  std::vector<std::string> names() const;
};
std::vector<TableRow> tableRowsIn(std::string_view text);

/// Code spans of a text, without their backticks.
std::vector<std::string> codeSpansIn(std::string_view text);

/// Relative links of the checked-in documents that lead to no file or no heading, as "path:line: message". `root`: of
/// the repository.
std::vector<std::string> deadLinksBelow(const std::filesystem::path &root);

} // namespace agentic::lint
