#include "tool/source/candidate/plain_calls.h"

#include "tool/source/parse/lexed_text.h"

#include <algorithm>
#include <array>

namespace agentic {
namespace {

struct Operation {
  std::string_view name; ///< of the intrinsic, after the prefix of its width
  char sign;
  bool isSame; ///< false: plain operators may be contracted to a fused multiply-add, which rounds once
};
constexpr auto kOperations = std::to_array<Operation>({
    {"add_ps", '+', false},
    {"add_pd", '+', false},
    {"sub_ps", '-', false},
    {"sub_pd", '-', false},
    {"mul_ps", '*', false},
    {"mul_pd", '*', false},
    {"div_ps", '/', true},
    {"div_pd", '/', true},
    {"and_si128", '&', true},
    {"and_si256", '&', true},
    {"and_si512", '&', true},
    {"or_si128", '|', true},
    {"or_si256", '|', true},
    {"or_si512", '|', true},
    {"xor_si128", '^', true},
    {"xor_si256", '^', true},
    {"xor_si512", '^', true},
});

/// Wrappers whose first argument is their value: what they add is a hint.
constexpr auto kWrappers = std::to_array<std::string_view>(
    {"__builtin_expect", "__builtin_expect_with_probability", "__builtin_assume_aligned"});

constexpr auto kHints =
    std::to_array<std::string_view>({"_mm_prefetch", "__builtin_prefetch", "__builtin_assume", "_mm256_zeroupper"});

/// "_mm256_add_ps" → "add_ps"; "_mm512_mask_add_ps" → "mask_add_ps"; empty for other names.
std::string_view operationOf(std::string_view name) {
  for (const std::string_view prefix : {"_mm_", "_mm256_", "_mm512_"})
    if (name.starts_with(prefix))
      return name.substr(prefix.size());
  return {};
}

bool isCast(std::string_view name) {
  return operationOf(name).starts_with("cast");
}

/// Returns the argument of a call that converts a type and no bit; nullopt: it is none.
std::optional<std::string> castArgument(const std::string &text) {
  const LexedText lexed = lexText(text);
  const std::size_t count = lexed.tokens.size();
  if (count < 4 || !isCast(lexed.spelling(0)) || !lexed.is(1, "(") || lexed.closing(1) != count - 1)
    return std::nullopt;
  return text.substr(lexed.tokens[2].begin, lexed.tokens[count - 2].end - lexed.tokens[2].begin);
}

/// Returns the argument as an operand: in parentheses unless it is one name, literal or call.
std::string operand(const std::string &argument) {
  const LexedText lexed = lexText(argument);
  const std::size_t count = lexed.tokens.size();
  const bool isWord = count > 0 && lexed.tokens[0].kind != LexToken::Kind::Punctuation;
  const bool isCall = isWord && count > 1 && (lexed.is(1, "(") || lexed.is(1, "[")) && lexed.closing(1) == count - 1;
  const bool isWrapped = count > 1 && lexed.is(0, "(") && lexed.closing(0) == count - 1;
  return (isWord && count == 1) || isCall || isWrapped ? argument : "(" + argument + ")";
}

} // namespace

std::optional<PlainCall> plainCall(std::string_view name, const std::vector<std::string> &arguments) {
  if (arguments.empty() || arguments.front().empty())
    return std::nullopt;
  if (std::ranges::find(kWrappers, name) != kWrappers.end())
    return arguments.size() < 2 ? std::nullopt : std::optional(PlainCall{operand(arguments.front()), true});
  const std::string_view operation = operationOf(name);
  if (operation.empty())
    return std::nullopt;
  for (const Operation &known : kOperations)
    if (known.name == operation && arguments.size() == 2)
      return PlainCall{operand(arguments[0]) + " " + known.sign + " " + operand(arguments[1]), known.isSame, true};
  // There and back again: each of the two alone has another type.
  if (const auto inner = isCast(name) ? castArgument(arguments.front()) : std::nullopt)
    return PlainCall{operand(*inner), false};
  return PlainCall{operand(arguments.front()), false};
}

bool isHintCall(std::string_view name) {
  return std::ranges::find(kHints, name) != kHints.end();
}

} // namespace agentic
