#include "tests/lint/source_text.h"

#include "tool/base/text.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace agentic::lint {
namespace {

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Offset past the literal or comment that starts at `begin`; `begin` if none does.
std::size_t pastOpaque(std::string_view text, std::size_t begin) {
  const std::string_view rest = text.substr(begin);
  const auto past = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, begin + from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (rest.starts_with("//"))
    return past("\n", 2) - 1;
  if (rest.starts_with("/*"))
    return past("*/", 2);
  if (rest.starts_with("R\"")) {
    const std::size_t open = rest.find('(');
    return open == std::string_view::npos ? text.size()
                                          : past(")" + std::string(rest.substr(2, open - 2)) + "\"", open);
  }
  // A quote after a digit separates digits: 1'000.
  if (rest[0] != '"' && (rest[0] != '\'' || (begin > 0 && isWordCharacter(text[begin - 1]))))
    return begin;
  std::size_t end = begin + 1;
  while (end < text.size() && text[end] != rest[0] && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// The text with comments and literals turned into spaces; line breaks stay.
std::string withoutOpaque(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < text.size();) {
    const bool insideWord = i > 0 && isWordCharacter(text[i - 1]) && text[i] == 'R';
    const std::size_t end = insideWord ? i : pastOpaque(text, i);
    for (std::size_t j = i; j < end; ++j)
      if (text[j] != '\n')
        result[j] = ' ';
    i = std::max(end, i + 1);
  }
  return result;
}

/// Whether what stands before `begin` makes the word there a member or part of another namespace than std.
bool isForeign(std::string_view text, std::size_t begin) {
  const std::string_view before = trim(text.substr(0, begin));
  if (before.ends_with("::")) {
    const std::string_view qualifier = trim(before.substr(0, before.size() - 2));
    const bool isNamed = !qualifier.empty() && (isWordCharacter(qualifier.back()) || qualifier.back() == '>');
    return isNamed && !qualifier.ends_with("std") && !qualifier.ends_with("return");
  }
  return before.ends_with("->") || (before.ends_with(".") && !before.ends_with("..."));
}

void readDirective(std::string_view line, unsigned number, SourceText &source) {
  line = trim(line);
  if (!line.starts_with('#'))
    return;
  const std::string_view directive = trim(line.substr(1));
  if (directive.starts_with("pragma") && trim(directive.substr(6)) == "once")
    source.hasPragmaOnce = true;
  if (!directive.starts_with("include"))
    return;
  const std::string_view target = trim(directive.substr(7));
  const std::size_t end = target.empty() ? 0 : target.find(target[0] == '<' ? '>' : '"', 1);
  if (end != std::string_view::npos && end > 0)
    source.includes.push_back({number, std::string(target.substr(1, end - 1)), target[0] == '"'});
}

/// Returns the offset of the first of `ends` outside all parentheses, brackets and braces that are opened from `at` on.
std::size_t findOutside(std::string_view code, std::string_view ends, std::size_t at) {
  for (int depth = 0; at < code.size(); ++at) {
    depth -= std::string_view(")]}").contains(code[at]) ? 1 : 0;
    if (depth <= 0 && ends.contains(code[at]))
      return at;
    depth += std::string_view("([{").contains(code[at]) ? 1 : 0;
  }
  return code.size();
}

/// Returns where an assertion of GoogleTest begins that is, without braces, all that an `if` does; `end` is that of the
/// word `if`. Such an assertion is an `if` with an `else` itself.
std::optional<std::size_t> bareAssertion(std::string_view code, std::size_t end) {
  const std::size_t condition = std::min(code.find_first_of("({;", end), code.size()); // behind `constexpr`
  const std::size_t closing = findOutside(code, ")", condition);
  const std::size_t begin = std::min(code.find_first_not_of(" \t\n", closing + 1), code.size());
  if (!code.substr(begin).starts_with("EXPECT_") && !code.substr(begin).starts_with("ASSERT_"))
    return std::nullopt;
  const std::string_view rest = code.substr(findOutside(code, ";", begin));
  return trim(rest.substr(std::min<std::size_t>(1, rest.size()))).starts_with("else") ? std::nullopt
                                                                                      : std::optional(begin);
}

/// Returns whether the TRY at `at`, whose word ends at `end`, is a statement of its own that yields an owner.
bool dropsAnOwner(std::string_view code, std::size_t at, std::size_t end) {
  const std::string_view before = trim(code.substr(0, at));
  if (!before.empty() && std::string_view(";{})").find(before.back()) == std::string_view::npos)
    return false;
  const std::string_view statement = code.substr(end, findOutside(code, ";", end) - end);
  constexpr std::string_view kMakers[] = {"lockMeasuring(", "LockFile::acquire(", "ScratchDirectory::create("};
  return std::ranges::any_of(kMakers, [&](std::string_view maker) {
    return trim(statement.substr(std::min<std::size_t>(1, statement.size()))).starts_with(maker);
  });
}

} // namespace

SourceText readSource(std::string_view text) {
  SourceText source;
  const std::string code = withoutOpaque(text);
  std::size_t offset = 0;
  for (const std::string &line : split(text, '\n')) {
    ++source.lines;
    // A directive in a comment or in a raw string literal is none: its '#' is gone from `code`.
    const std::size_t hash = line.find('#');
    if (hash != std::string::npos && code[offset + hash] == '#')
      readDirective(line, source.lines, source);
    offset += line.size() + 1;
  }
  if (text.empty() || text.ends_with('\n'))
    --source.lines;

  unsigned line = 1;
  for (std::size_t i = 0; i < code.size(); ++i) {
    line += code[i] == '\n' ? 1 : 0;
    if (!isWordCharacter(code[i]) || (i > 0 && isWordCharacter(code[i - 1])))
      continue;
    std::size_t end = i;
    while (end < code.size() && isWordCharacter(code[end]))
      ++end;
    const std::size_t next = code.find_first_not_of(" \t\n", end);
    if (code.substr(i, end - i) == "if" && !trim(std::string_view(code).substr(0, i)).ends_with('#'))
      if (const auto bare = bareAssertion(code, end))
        source.bareAssertions.push_back(line +
                                        unsigned(std::count(code.begin() + long(i), code.begin() + long(*bare), '\n')));
    if (code.substr(i, end - i) == "TRY" && dropsAnOwner(code, i, end))
      source.droppedOwners.push_back(line);
    source.identifiers.push_back(
        {line, code.substr(i, end - i), next != std::string::npos && code[next] == '(', isForeign(code, i)});
  }
  return source;
}

} // namespace agentic::lint
