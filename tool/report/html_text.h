// Texts of others in an HTML page: nothing in them is markup, ends a script, or is invisible.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace agentic {

/// For element contents and quoted attributes. Control characters and those that turn the direction of text are shown
/// as pictures or as ⟨U+202E⟩; tabs and line ends stay; bytes that are not UTF-8 become U+FFFD.
std::string htmlText(std::string_view text);

/// The first `limit` bytes at most, cut between characters, with a note of how much is missing.
std::string clippedText(std::string_view text, std::size_t limit);

inline constexpr std::size_t kNameBytes = 200; ///< of a name on the page

/// For <script type="application/json">: no `<`, `>`, `&`, U+2028 or U+2029 is in it, so that nothing ends or opens a
/// script.
std::string scriptJson(const nlohmann::json &value);

/// 'sha256-…': what a Content-Security-Policy lets run.
std::string policyHash(std::string_view script);

/// `text` with every {{name}} replaced by what `valueOf` gives for it, in one pass: values are not looked at again.
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
