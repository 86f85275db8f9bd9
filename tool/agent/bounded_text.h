// Text from elsewhere, made fit to be shown to a model: bounded, and without what is no text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agentic {

/// At most `most` bytes, "…" included if it was cut; never within a UTF-8 sequence.
std::string boundedText(std::string_view text, std::size_t most);

inline constexpr std::size_t kNameBytes = 80; ///< the most of a name that a model wrote: of a file, a tool, an argument

/// Control characters (escape sequences of terminals with them) as blanks, but line feeds and tabs.
std::string printableText(std::string_view text);

/// White space and control characters as single blanks.
std::string oneLine(std::string_view text);

} // namespace agentic
