#include "tool/knowledge/copied_lines.h"

#include "tool/base/text.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr std::uint64_t kTokenBase = 0x9e3779b97f4a7c15u; // odd: no power of it is 0

bool isTokenPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// FNV-1a, its bits mixed.
std::uint64_t hashOf(std::string_view token) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : token)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 29);
}

/// Reads the tokens of any language with C's comments and literals; each other sign is a token of its own.
class TokenReader {
public:
  explicit TokenReader(std::string_view text) : text_(text) {}

  /// Returns the next token; empty at the end.
  std::string_view next() {
    skipBlanks();
    const std::size_t begin = at_;
    if (at_ == text_.size())
      return {};
    if (text_[at_] == '"' || isCharacter())
      skipLiteral(text_[at_]);
    else if (isTokenPart(text_[at_]))
      skipWord();
    else
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  /// Returns the line of the token that was read last: no token goes over the end of its line.
  unsigned line() const { return line_; }

private:
  void skipBlanks() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_, 2);
      if (rest == "//")
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (rest == "/*")
        skipComment();
      else if (const char c = rest.front(); c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '\\') {
        line_ += c == '\n' ? 1 : 0;
        ++at_;
      } else
        return;
    }
  }

  void skipComment() {
    const std::size_t close = text_.find("*/", at_ + 2);
    const std::size_t end = close == std::string_view::npos ? text_.size() : close + 2;
    const std::string_view comment = text_.substr(at_, end - at_);
    line_ += static_cast<unsigned>(std::ranges::count(comment, '\n'));
    at_ = end;
  }

  /// An apostrophe of prose and of Rust's lifetimes has no second one near.
  bool isCharacter() const {
    if (text_[at_] != '\'')
      return false;
    const std::string_view near = text_.substr(at_, 10);
    const std::size_t close = near.find('\'', near.substr(1).starts_with("\\") ? 3 : 2);
    return close != std::string_view::npos && near.substr(0, close).find('\n') == std::string_view::npos;
  }

  void skipLiteral(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n')
        ++at_;
    if (at_ < text_.size() && text_[at_] == quote)
      ++at_;
  }

  void skipWord() {
    const bool isNumber = isDigit(text_[at_]);
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_], before = text_[at_ - 1];
      const bool isSign = (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      if (!isTokenPart(c) && !(isNumber && (c == '.' || isSign)))
        return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
};

std::size_t tokensOf(const std::vector<TokenHashes::Line> &lines, std::size_t first) {
  return lines[first + kCopiedLines - 1].end - lines[first].begin;
}

} // namespace

TokenHashes::TokenHashes(std::string_view text) : sums_{0}, powers_{1} {
  TokenReader reader(text);
  Line line;
  bool holdsCode = false;
  const auto endLine = [&] {
    line.end = size();
    if (holdsCode)
      lines_.push_back(line);
  };
  for (std::string_view token = reader.next(); !token.empty(); token = reader.next()) {
    if (token == "{" || token == "}") // formatters and authors set them as they like
      continue;
    if (reader.line() != line.number) {
      endLine();
      line = {size(), size(), reader.line()};
      holdsCode = false;
    }
    holdsCode = holdsCode || isTokenPart(token.front()) || token.size() > 1;
    sums_.push_back(sums_.back() * kTokenBase + hashOf(token));
    powers_.push_back(powers_.back() * kTokenBase);
  }
  endLine();
}

std::vector<std::uint64_t> fingerprintsOf(const TokenHashes &source) {
  const std::vector<TokenHashes::Line> &lines = source.lines();
  std::vector<std::uint64_t> chosen;
  for (std::size_t first = 0; first + kCopiedLines <= lines.size(); ++first) {
    // The smallest of each window: neighbours mostly choose the same, and so few are kept.
    std::optional<std::uint64_t> smallest;
    for (std::size_t i = first; i < first + kCopiedLines; ++i)
      if (lines[i].begin + kGramTokens <= lines[first + kCopiedLines - 1].end) {
        const std::uint64_t hash = source.of(lines[i].begin, kGramTokens);
        smallest = std::min(smallest.value_or(hash), hash);
      }
    if (smallest && (chosen.empty() || chosen.back() != *smallest))
      chosen.push_back(*smallest);
  }
  std::ranges::sort(chosen);
  const auto repeated = std::ranges::unique(chosen);
  chosen.erase(repeated.begin(), repeated.end());
  return chosen;
}

CopyFinder::Text::Text(std::string_view text) : tokens_(text) {
  for (std::size_t start = 0; start + kGramTokens <= tokens_.size(); ++start)
    starts_[tokens_.of(start, kGramTokens)].push_back(start);
}

bool CopyFinder::Text::holds(const TokenHashes &other, std::size_t begin, std::size_t count) const {
  const auto found = starts_.find(other.of(begin, kGramTokens));
  if (found == starts_.end())
    return false;
  const std::uint64_t wanted = other.of(begin, count);
  return std::ranges::any_of(found->second, [&](std::size_t start) {
    return start + count <= tokens_.size() && tokens_.of(start, count) == wanted;
  });
}

std::vector<std::uint64_t> CopyFinder::fingerprints() const {
  std::vector<std::uint64_t> all;
  for (const auto &[hash, starts] : candidate_.starts())
    all.push_back(hash);
  std::ranges::sort(all);
  return all;
}

std::optional<CopiedLines> CopyFinder::in(std::string_view source) const {
  const TokenHashes tokens(source);
  const std::vector<TokenHashes::Line> &lines = tokens.lines();
  std::optional<CopiedLines> longest;
  std::size_t windows = 0; // in a row
  for (std::size_t first = 0; first + kCopiedLines <= lines.size(); ++first) {
    const std::size_t begin = lines[first].begin, count = tokensOf(lines, first);
    const bool isCopied =
        count >= kGramTokens && candidate_.holds(tokens, begin, count) && !baseline_.holds(tokens, begin, count);
    windows = isCopied ? windows + 1 : 0;
    const std::size_t copied = windows + kCopiedLines - 1;
    if (windows > 0 && (!longest || copied > longest->count))
      longest = {lines[first + 1 - windows].number, lines[first + kCopiedLines - 1].number, copied};
  }
  return longest;
}

} // namespace agentic
