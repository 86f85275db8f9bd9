#include "ast-checks/lexemes.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/LangStandard.h"
#include "clang/Lex/Lexer.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>

namespace agentic::checks {
namespace {

clang::LangOptions rawLexerLanguage() {
  clang::LangOptions options;
  std::vector<std::string> includes;
  clang::LangOptions::setLangDefaults(options, clang::Language::CXX, llvm::Triple(), includes,
                                      clang::LangStandard::lang_gnucxx20);
  return options;
}

RawToken::Kind rawKindOf(const clang::Token &token) {
  if (token.is(clang::tok::raw_identifier))
    return RawToken::Kind::Identifier;
  if (token.is(clang::tok::numeric_constant))
    return RawToken::Kind::Number;
  if (clang::tok::isStringLiteral(token.getKind()))
    return RawToken::Kind::String;
  return token.is(clang::tok::hashhash) ? RawToken::Kind::Paste : RawToken::Kind::Other;
}

std::string withoutSplices(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      std::size_t next = text.find_first_not_of(" \t", i + 1);
      if (next != std::string_view::npos && text[next] == '\n') {
        i = next;
        continue;
      }
    }
    result += text[i];
  }
  return result;
}

/// Calls `use(token, raw)` for every token of `text`, without comments.
template <class Use> void forEachToken(const std::string &text, Use use) {
  const clang::LangOptions language = rawLexerLanguage();
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), language, text.data(), text.data(),
                     text.data() + text.size());
  clang::Token token;
  while (!lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof)) {
    RawToken raw;
    raw.begin = token.getLocation().getRawEncoding() - 1;
    raw.end = raw.begin + token.getLength();
    raw.kind = rawKindOf(token);
    raw.startsLine = token.isAtStartOfLine();
    std::string_view spelling = std::string_view(text).substr(raw.begin, token.getLength());
    raw.spelling = token.needsCleaning() ? withoutSplices(spelling) : std::string(spelling);
    use(token, std::move(raw));
  }
}

/// Assembles directives from the token stream.
class DirectiveCollector {
public:
  DirectiveCollector(const std::string &text, const OwnRanges &own, std::vector<Directive> &out)
      : text_(text), own_(own), out_(out) {}

  void add(const clang::Token &token, const RawToken &raw) {
    if (raw.startsLine)
      close();
    if (raw.startsLine && token.is(clang::tok::hash)) {
      open_ = own_.contains(raw.begin);
      expectName_ = true;
      current_ = {};
      current_.offset = raw.begin;
      return;
    }
    if (!open_)
      return;
    if (std::exchange(expectName_, false) && raw.kind == RawToken::Kind::Identifier) {
      current_.name = raw.spelling;
      return;
    }
    if (current_.name.empty())
      current_.name = raw.kind == RawToken::Kind::Number ? "line marker" : raw.spelling;
    current_.arguments.push_back(raw);
  }

  void close() {
    if (!open_)
      return;
    open_ = false;
    if (!current_.arguments.empty()) {
      std::size_t begin = current_.arguments.front().begin;
      current_.argumentText = text_.substr(begin, current_.arguments.back().end - begin);
    }
    out_.push_back(std::move(current_));
  }

private:
  const std::string &text_;
  const OwnRanges &own_;
  std::vector<Directive> &out_;
  Directive current_;
  bool open_ = false, expectName_ = false;
};

} // namespace

OwnRanges::OwnRanges(const std::vector<OwnText> &own, std::size_t textSize) : ranges_(own) {
  if (ranges_.empty())
    ranges_.push_back({0, textSize});
  std::ranges::sort(ranges_, {}, &OwnText::begin);
  std::vector<OwnText> merged;
  for (const OwnText &range : ranges_) {
    if (range.begin >= range.end && range.end != textSize)
      continue;
    if (!merged.empty() && range.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(range);
  }
  ranges_ = std::move(merged);
}

bool OwnRanges::contains(std::size_t offset) const {
  auto after = std::ranges::upper_bound(ranges_, offset, {}, &OwnText::begin);
  return after != ranges_.begin() && offset < std::prev(after)->end;
}

bool OwnRanges::intersects(std::size_t begin, std::size_t end) const {
  auto after = std::ranges::upper_bound(ranges_, end, {}, &OwnText::begin);
  return after != ranges_.begin() && begin < std::prev(after)->end;
}

bool Lexemes::isInDirective(std::size_t offset) const {
  return std::ranges::any_of(directives, [&](const Directive &directive) {
    return directive.name != "define" && !directive.arguments.empty() && directive.offset <= offset &&
           offset < directive.arguments.back().end;
  });
}

Lexemes lexOwnText(const std::string &text, const OwnRanges &own) {
  Lexemes result;
  DirectiveCollector collector(text, own, result.directives);
  forEachToken(text, [&](const clang::Token &token, RawToken raw) {
    collector.add(token, raw);
    if (own.contains(raw.begin))
      result.tokens.push_back(std::move(raw));
  });
  collector.close();
  return result;
}

std::vector<RawToken> lexSnippet(const std::string &text) {
  std::vector<RawToken> result;
  forEachToken(text, [&](const clang::Token &, RawToken raw) { result.push_back(std::move(raw)); });
  return result;
}

std::string plainLiteral(const std::string &spelling) {
  if (spelling.size() < 2 || spelling.front() != '"' || spelling.back() != '"')
    return {};
  std::string result;
  for (std::size_t i = 1; i + 1 < spelling.size(); ++i) {
    if (spelling[i] == '\\')
      ++i;
    result += spelling[i];
  }
  return result;
}

} // namespace agentic::checks
