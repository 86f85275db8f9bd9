// Makes foreign texts safe in an HTML page: nothing in them is markup, ends a script, or is invisible.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace agentic {

/// Escapes text for element contents and quoted attributes. Shows control characters and those that turn the direction
/// of text as pictures or as ⟨U+202E⟩; tabs and line ends stay; bytes that are not UTF-8 become U+FFFD.
std::string htmlText(std::string_view text);

/// Returns the first `limit` bytes at most, cut between characters, with a note of the missing length.
std::string clippedText(std::string_view text, std::size_t limit);

inline constexpr std::size_t kNameBytes = 200; ///< limit of a name on the page

/// Returns JSON for <script type="application/json">: without `<`, `>`, `&`, U+2028 and U+2029, so that nothing ends or
/// opens a script.
std::string scriptJson(const nlohmann::json &value);

/// Returns the hash 'sha256-…' by which a Content-Security-Policy allows the script.
std::string policyHash(std::string_view script);

/// Returns `text` with every {{name}} replaced by `valueOf(name)`, in one pass: values are not searched again.
template <class Values> std::string filledTemplate(std::string_view text, const Values &valueOf) {
  std::string filled;
  for (std::size_t from = 0;;) {
    const std::size_t open = text.find("{{", from);
    const std::size_t close = open == text.npos ? text.npos : text.find("}}", open);
    if (close == text.npos)
      return filled.append(text.substr(from));
    filled.append(text.substr(from, open - from));
    filled.append(valueOf(text.substr(open + 2, close - open - 2)));
    from = close + 2;
  }
}

} // namespace agentic
