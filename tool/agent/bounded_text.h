// Makes foreign text fit for a model: bounded, and without bytes that are no text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agentic {

/// Returns at most `most` bytes, "…" included if it was cut; never cuts within a UTF-8 sequence.
std::string boundedText(std::string_view text, std::size_t most);

inline constexpr std::size_t kNameBytes = 80; ///< limit of a name that a model wrote: of a file, a tool, an argument

/// Replaces control characters (with them terminals' escape sequences), but not line feeds and tabs, by blanks.
std::string printableText(std::string_view text);

/// Replaces white space and control characters by single blanks.
std::string oneLine(std::string_view text);

} // namespace agentic
