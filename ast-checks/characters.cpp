#include "ast-checks/characters.h"

#include "ast-checks/context.h"

#include <array>
#include <cstdio>

namespace agentic::checks {
namespace {

bool isPlain(char c) {
  return c == '\n' || c == '\t' || (c >= ' ' && c <= '~');
}

/// `??=` and the like mean another character in some language modes.
bool isTrigraph(std::string_view text) {
  return text.size() >= 3 && text[0] == '?' && text[1] == '?' &&
         std::string_view("=/'()!<>-").find(text[2]) != std::string_view::npos;
}

std::string byteName(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  auto byte = static_cast<unsigned char>(c);
  return std::string("0x") + kDigits[byte >> 4] + kDigits[byte & 15];
}

} // namespace

void Characters::text(Context &context) {
  if (!context.isCandidate())
    return;
  const std::string &text = context.request().text;
  for (const OwnText &range : context.own().all())
    for (std::size_t i = range.begin; i < range.end && i < text.size(); ++i) {
      if (isTrigraph(std::string_view(text).substr(i)))
        context.reportAt(*this, i,
                         "trigraph '" + text.substr(i, 3) + "' is not allowed; write the character it stands for");
      if (isPlain(text[i]))
        continue;
      context.reportAt(*this, i,
                       "byte " + byteName(text[i]) + " is not allowed; use printable ASCII, tabs and line feeds only");
      while (i + 1 < range.end && i + 1 < text.size() && !isPlain(text[i + 1]))
        ++i; // one finding per run of them
    }
}

} // namespace agentic::checks
