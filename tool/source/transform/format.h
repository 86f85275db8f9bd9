// Formats a transformed kernel, and a winner.
#pragma once

#include <string>

namespace agentic {

/// Formats `text` as clang-format does with the style file that applies to `source` (LLVM's style if there is none).
/// Under a millisecond per 100 lines. Returns text that clang-format cannot read as it is.
std::string formatted(const std::string &text, const std::string &source);

/// The same where a style file applies; else the text as it is.
std::string formattedInStyle(const std::string &text, const std::string &source);

} // namespace agentic
