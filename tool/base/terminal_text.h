// Makes foreign text safe for a terminal: names from files, a model's text. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agentic {

/// Returns text in which nothing moves a cursor or turns text around: control characters (C0, DEL, C1), bidirectional
/// and invisible format characters and broken UTF-8 become escapes such as \x1b and \u202e. `keepsLines` keeps line
/// ends and tabs.
std::string printable(std::string_view text, bool keepsLines = false);

/// Like printable(), in ASCII alone, for terminals that show nothing else.
std::string printableAscii(std::string_view text);

/// Returns the columns that printable text takes, or a few more: where terminals disagree, the wider counts.
std::size_t displayColumns(std::string_view text);

/// Returns the beginning of printable text that takes no more than `columns`; "~" at its end marks an omission.
std::string fitted(std::string_view text, std::size_t columns);

} // namespace agentic
