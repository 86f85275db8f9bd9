// Foreign text on a terminal: names from files, what a model wrote. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agentic {

/// Nothing in it moves a cursor or turns text around: control characters (C0, DEL, C1), bidirectional and invisible
/// format characters and broken UTF-8 become escapes such as \x1b and \u202e. Line ends and tabs stay with
/// `keepsLines`.
std::string printable(std::string_view text, bool keepsLines = false);

/// The same in ASCII alone, for terminals that show nothing else.
std::string printableAscii(std::string_view text);

/// Columns that printable text takes, or a few more: what terminals disagree about counts as the wider.
std::size_t displayColumns(std::string_view text);

/// The beginning of printable text that takes no more than `columns`; "~" at its end says that there was more.
std::string fitted(std::string_view text, std::size_t columns);

} // namespace agentic
