#include "ast-checks/pragma_rules.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace agentic::checks {
namespace {

/// Returns the leading identifiers of a pragma.
std::vector<std::string> wordsOf(const std::string &text) {
  std::vector<std::string> words;
  for (const RawToken &token : lexSnippet(text)) {
    if (token.kind != RawToken::Kind::Identifier)
      break;
    words.push_back(token.spelling);
  }
  return words;
}

} // namespace

PragmaKind pragmaKind(const std::string &text) {
  std::vector<std::string> words = wordsOf(text);
  words.resize(std::max<std::size_t>(words.size(), 2));
  const std::string &first = words[0], &second = words[1];
  if (first == "unroll" || first == "nounroll")
    return PragmaKind::Loop;
  if (first == "clang" && second == "loop")
    return PragmaKind::Loop;
  if (first == "GCC" && (second == "unroll" || second == "ivdep"))
    return PragmaKind::Loop;
  if (first == "omp")
    return second == "simd" ? PragmaKind::Loop : PragmaKind::Threads;
  return PragmaKind::Banned;
}

std::string pragmaTitle(const std::string &text) {
  std::string title;
  for (const std::string &word : wordsOf(text)) {
    if (title.find(' ') != std::string::npos)
      break;
    title += (title.empty() ? "" : " ") + word;
  }
  return title;
}

std::vector<WrittenPragma> writtenPragmas(const Lexemes &lexemes) {
  std::vector<WrittenPragma> result;
  for (const Directive &directive : lexemes.directives)
    if (directive.name == "pragma")
      result.push_back({directive.offset, true, directive.argumentText});
  const std::vector<RawToken> &tokens = lexemes.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].spelling != "_Pragma" && tokens[i].spelling != "__pragma")
      continue;
    std::string text;
    if (i + 2 < tokens.size() && tokens[i + 1].spelling == "(" && tokens[i + 2].kind == RawToken::Kind::String)
      text = plainLiteral(tokens[i + 2].spelling);
    result.push_back({tokens[i].begin, !text.empty(), text});
  }
  return result;
}

} // namespace agentic::checks
