#include "tool/source/candidate/tunables.h"

#include "tool/source/parse/lexed_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace agentic {
namespace {

constexpr std::string_view kMacro = "AGENTIC_TUNE";
constexpr std::size_t kMostTunables = 8, kMostValues = 16;

std::unexpected<Error> wrong(const std::string &what) {
  return userError("AGENTIC_TUNE " + what,
                   "write AGENTIC_TUNE(name, 4, 8, 16); with 2 to 16 different integers, the most likely one first");
}

/// Parses a decimal or hexadecimal integer of 64 bits, with an optional '-'.
std::optional<std::int64_t> integer(std::string_view text) {
  const bool isNegative = text.starts_with('-');
  if (isNegative)
    text.remove_prefix(1);
  const bool isHex = text.starts_with("0x") || text.starts_with("0X");
  if (isHex)
    text.remove_prefix(2);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, isHex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size() || text.starts_with('-') ||
      (!isHex && text.size() > 1 && text.front() == '0'))
    return std::nullopt;
  return isNegative ? -value : value;
}

bool fitsInt(std::string_view value) {
  const auto number = integer(value);
  return number && *number >= INT32_MIN && *number <= INT32_MAX;
}

/// Parses the declaration whose macro is token `at`.
Result<Tunable> declarationAt(const LexedText &lexed, std::size_t at) {
  const std::size_t open = at + 1, close = lexed.is(open, "(") ? lexed.closing(open) : lexed.tokens.size();
  if (close >= lexed.tokens.size())
    return wrong("without a closed list of arguments");
  if (!lexed.isIdentifier(open + 1))
    return wrong("needs a name first");
  Tunable tunable{std::string(lexed.spelling(open + 1)), {}, lexed.tokens[at].begin, lexed.tokens[close].end};
  std::vector<std::int64_t> seen;
  std::size_t token = open + 2;
  while (token < close) {
    if (!lexed.is(token, ","))
      return wrong("'" + tunable.name + "' needs a comma before '" + std::string(lexed.spelling(token)) + "'");
    std::string value;
    for (++token; token < close && !lexed.is(token, ","); ++token)
      value += lexed.spelling(token);
    const auto number = integer(value);
    if (!number)
      return wrong("'" + tunable.name + "' has '" + value + "', which is no integer");
    if (std::ranges::count(seen, *number) > 0)
      return wrong("'" + tunable.name + "' has " + value + " twice");
    seen.push_back(*number);
    tunable.values.push_back(std::move(value));
  }
  if (tunable.values.size() < 2 || tunable.values.size() > kMostValues)
    return wrong("'" + tunable.name + "' has " + std::to_string(tunable.values.size()) + " values");
  return tunable;
}

/// Returns whether it is used outside its declaration: in code, in a directive ("#pragma unroll kTile") or in the text
/// of one.
bool isUsed(const LexedText &lexed, const Tunable &tunable) {
  const auto isUse = [&](const LexToken &token) {
    const bool isOutside = token.end <= tunable.begin || token.begin >= tunable.end;
    const std::string_view spelling = lexed.spelling(token);
    return isOutside &&
           (token.kind == LexToken::Kind::String ? spelling.contains(tunable.name) : spelling == tunable.name);
  };
  return std::ranges::any_of(lexed.tokens, isUse) ||
         std::ranges::any_of(lexed.directives, [&](const LexDirective &directive) {
           return std::ranges::any_of(directive.tokens, isUse);
         });
}

} // namespace

Result<TunableText> TunableText::read(std::string text) {
  TunableText result;
  result.text_ = std::move(text);
  if (result.text_.find(kMacro) == std::string::npos)
    return result;
  const LexedText lexed = lexText(result.text_);
  for (const LexDirective &directive : lexed.directives)
    for (const LexToken &token : directive.tokens)
      if (lexed.spelling(token) == kMacro)
        return wrong("stands in a preprocessor directive");
  for (std::size_t i = 0; i < lexed.tokens.size(); ++i) {
    if (!lexed.isIdentifier(i) || !lexed.is(i, kMacro))
      continue;
    auto tunable = TRY(declarationAt(lexed, i));
    if (std::ranges::any_of(result.tunables_, [&](const Tunable &other) { return other.name == tunable.name; }))
      return wrong("'" + tunable.name + "' is declared twice");
    result.tunables_.push_back(std::move(tunable));
  }
  if (result.tunables_.size() > kMostTunables)
    return wrong("stands there " + std::to_string(result.tunables_.size()) + " times, at most 8 can be searched");
  for (const Tunable &tunable : result.tunables_)
    if (!isUsed(lexed, tunable))
      return userError("AGENTIC_TUNE declares '" + tunable.name + "', which is used nowhere",
                       "use " + tunable.name + " in the function, or leave the declaration out");
  return result;
}

std::string TunableText::settled(const TunableSetting &setting, Language language) const {
  std::string text = text_;
  for (std::size_t i = tunables_.size(); i-- > 0;) {
    const Tunable &tunable = tunables_[i];
    // All settings have one type: overloads and promotions do not change with the value.
    const bool isInt = std::ranges::all_of(tunable.values, fitsInt);
    std::string constant =
        "constexpr " + std::string(isInt ? "int " : "long long ") + tunable.name + " = " + tunable.values[setting[i]];
    if (language == Language::C) // an enumerator may be an array's length; a constant object may not
      constant = isInt ? "enum { " + tunable.name + " = " + tunable.values[setting[i]] + " }"
                       : "static const long long " + tunable.name + " = " + tunable.values[setting[i]];
    const std::size_t next = text.find_first_not_of(" \t\n", tunable.end);
    if (next == std::string::npos || text[next] != ';')
      constant += ';';
    text.replace(tunable.begin, tunable.end - tunable.begin, constant);
  }
  return text;
}

std::string TunableText::describe(const TunableSetting &setting) const {
  std::string text;
  for (std::size_t i = 0; i < tunables_.size(); ++i)
    text += (i == 0 ? "" : ", ") + tunables_[i].name + "=" + tunables_[i].values[setting[i]];
  return text;
}

} // namespace agentic
