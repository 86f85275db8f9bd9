#include "tool/report/html_text.h"

#include "tool/base/base64.h"
#include "tool/base/hash.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>

namespace agentic {
namespace {

constexpr char32_t kNotUtf8 = 0xFFFD;

struct Decoded {
  char32_t code = kNotUtf8;
  std::size_t length = 1;
};

/// Decodes the first character of `text`: shortest forms only, no surrogates, nothing above U+10FFFF.
Decoded decodedFirst(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80)
    return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
    return {};
  char32_t code = lead & (0xFF >> (length + 1));
  for (std::size_t at = 1; at < length; ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte & 0xC0) != 0x80)
      return {};
    code = code << 6 | (byte & 0x3F);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
    return {};
  return {code, length};
}

bool isUnseen(char32_t code) {
  return (code >= 0x7F && code <= 0x9F) || (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF;
}

void appendAscii(std::string &html, char character) {
  switch (character) {
  case '&':
    html += "&amp;";
    return;
  case '<':
    html += "&lt;";
    return;
  case '>':
    html += "&gt;";
    return;
  case '"':
    html += "&quot;";
    return;
  case '\'':
    html += "&#39;";
    return;
  default:
    break;
  }
  if (static_cast<unsigned char>(character) < 0x20 && character != '\n' && character != '\t')
    html += fmt::format("&#{};", 0x2400 + character); // Unicode's control pictures
  else
    html += character;
}

} // namespace

std::string htmlText(std::string_view text) {
  std::string html;
  html.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const Decoded first = decodedFirst(text);
    if (isUnseen(first.code))
      html += fmt::format("⟨U+{:04X}⟩", static_cast<std::uint32_t>(first.code));
    else if (first.code < 0x80)
      appendAscii(html, static_cast<char>(first.code));
    else if (first.code == kNotUtf8)
      html += "\xEF\xBF\xBD";
    else
      html += text.substr(0, first.length);
    text.remove_prefix(first.length);
  }
  return html;
}

std::string clippedText(std::string_view text, std::size_t limit) {
  if (text.size() <= limit)
    return std::string(text);
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return fmt::format("{} … {} more bytes", text.substr(0, end), text.size() - end);
}

std::string scriptJson(const nlohmann::json &value) {
  constexpr bool kOnlyAscii = true;
  const std::string plain = value.dump(-1, ' ', kOnlyAscii, nlohmann::json::error_handler_t::replace);
  std::string safe;
  safe.reserve(plain.size() + plain.size() / 16);
  for (const char character : plain) // outside strings JSON has none of these three
    if (character == '<' || character == '>' || character == '&')
      safe += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
    else
      safe += character;
  return safe;
}

std::string policyHash(std::string_view script) {
  const std::string hex = sha256(script);
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
  return "'sha256-" + base64(bytes) + "'";
}

} // namespace agentic
