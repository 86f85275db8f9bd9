#include "tool/source/parse/lexed_text.h"

#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace agentic {
namespace {

clang::LangOptions lexerOptions() {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = options.CPlusPlus20 = true;
#if LLVM_VERSION_MAJOR >= 17
  options.CPlusPlus23 = true;
#else
  options.CPlusPlus2b = true;
#endif
#if LLVM_VERSION_MAJOR >= 19
  options.RawStringLiterals = true; // older languages have none by default
#endif
  options.LineComment = options.Bool = options.Digraphs = true;
  return options;
}

LexToken::Kind kindOf(const clang::Token &token) {
  if (token.is(clang::tok::raw_identifier))
    return LexToken::Kind::Identifier;
  if (token.is(clang::tok::numeric_constant))
    return LexToken::Kind::Number;
  if (clang::tok::isLiteral(token.getKind()))
    return LexToken::Kind::String;
  return LexToken::Kind::Punctuation;
}

struct RawToken {
  LexToken token;
  bool lineStart, hash;
};

std::vector<RawToken> rawTokens(std::string_view text) {
  const clang::LangOptions options = lexerOptions();
  // The lexer needs a terminating zero, which a string_view does not have.
  const std::string buffer(text);
  clang::Lexer lexer(clang::SourceLocation(), options, buffer.data(), buffer.data(), buffer.data() + buffer.size());
  std::vector<RawToken> result;
  clang::Token token;
  for (bool last = false; !last;) {
    last = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof))
      break;
    const std::size_t end = static_cast<std::size_t>(lexer.getBufferLocation() - buffer.data());
    const std::size_t begin = end - token.getLength();
    result.push_back({{kindOf(token), begin, end}, token.isAtStartOfLine(), token.is(clang::tok::hash)});
  }
  return result;
}

constexpr std::array<std::string_view, 3> kOpen = {"(", "[", "{"};
constexpr std::array<std::string_view, 3> kClose = {")", "]", "}"};

} // namespace

LexedText lexText(std::string_view text) {
  LexedText result;
  result.text = text;
  const std::vector<RawToken> raw = rawTokens(text);
  for (std::size_t i = 0; i < raw.size();) {
    if (!raw[i].hash || !raw[i].lineStart) {
      result.tokens.push_back(raw[i++].token);
      continue;
    }
    LexDirective directive;
    directive.begin = raw[i].token.begin;
    directive.end = raw[i].token.end;
    directive.nextToken = result.tokens.size();
    for (++i; i < raw.size() && !raw[i].lineStart; ++i) {
      directive.end = raw[i].token.end;
      if (directive.tokens.empty() && directive.keyword.empty() && raw[i].token.kind == LexToken::Kind::Identifier)
        directive.keyword = result.spelling(raw[i].token);
      else
        directive.tokens.push_back(raw[i].token);
    }
    result.directives.push_back(std::move(directive));
  }
  return result;
}

std::size_t LexedText::tokenAt(std::size_t offset) const {
  const auto found = std::lower_bound(tokens.begin(), tokens.end(), offset,
                                      [](const LexToken &token, std::size_t value) { return token.begin < value; });
  return static_cast<std::size_t>(found - tokens.begin());
}

std::size_t LexedText::closing(std::size_t open) const {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (std::ranges::find(kOpen, spelling(i)) != kOpen.end())
      ++depth;
    else if (std::ranges::find(kClose, spelling(i)) != kClose.end() && --depth == 0)
      return i;
  }
  return tokens.size();
}

std::size_t LexedText::opening(std::size_t close) const {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (std::ranges::find(kClose, spelling(i)) != kClose.end())
      ++depth;
    else if (std::ranges::find(kOpen, spelling(i)) != kOpen.end() && --depth == 0)
      return i;
  }
  return std::string::npos;
}

std::string tokenText(std::string_view text) {
  std::string result;
  for (const RawToken &raw : rawTokens(text)) {
    if (!result.empty())
      result += raw.hash && raw.lineStart ? '\n' : ' ';
    result += text.substr(raw.token.begin, raw.token.end - raw.token.begin);
  }
  return result;
}

bool isConditionalDirective(std::string_view keyword) {
  static constexpr std::array<std::string_view, 8> kNames = {"if",      "ifdef",    "ifndef", "elif",
                                                             "elifdef", "elifndef", "else",   "endif"};
  return std::ranges::find(kNames, keyword) != kNames.end();
}

Conditionals conditionalsOf(const LexedText &lexed) {
  Conditionals result;
  for (std::size_t i = 0; i < lexed.directives.size(); ++i) {
    const std::string &keyword = lexed.directives[i].keyword;
    if (!isConditionalDirective(keyword))
      continue;
    if (keyword.starts_with("if"))
      result.open.emplace_back();
    if (result.open.empty()) {
      result.strays.push_back(i);
      continue;
    }
    result.open.back().push_back(i);
    if (keyword == "endif") {
      result.groups.push_back(std::move(result.open.back()));
      result.open.pop_back();
    }
  }
  return result;
}

bool isKeyword(std::string_view word) {
  const clang::LangOptions options = lexerOptions();
  clang::IdentifierTable words(options);
  return words.get(llvm::StringRef(word.data(), word.size())).isKeyword(options);
}

bool wouldJoin(char last, char first) {
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '"'; };
  constexpr std::string_view kOperators = "+-<>=&|*/%^!:.#";
  return (isWord(last) && isWord(first)) || (kOperators.contains(last) && kOperators.contains(first));
}

} // namespace agentic
