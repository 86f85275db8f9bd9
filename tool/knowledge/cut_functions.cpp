#include "tool/knowledge/cut.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>

namespace agentic {
namespace {

bool isNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' || c == '~';
}

/// Names in front of a parenthesis that are no functions.
constexpr auto kNoNames = std::to_array<std::string_view>(
    {"__attribute__", "__declspec", "alignas", "decltype", "noexcept", "requires", "throw", "if", "for", "while",
     "switch", "catch", "return", "sizeof", "__launch_bounds__", "defined", "explicit", "extern"});

/// Reads source text past comments, literals and directives.
class Cutter {
public:
  explicit Cutter(std::string_view text) : text_(text) {}

  std::vector<Cut> run() {
    while (at_ < text_.size() && cuts_.size() < kMostFunctions) {
      const std::size_t before = at_;
      if (skipNoise())
        continue;
      const char c = text_[at_];
      if (c == '{')
        openBlock();
      else if (c == ';' || c == '}')
        beginHeader(at_ + 1);
      at_ = std::max(at_ + 1, before + 1);
    }
    return std::move(cuts_);
  }

private:
  static constexpr std::size_t kMostFunctions = 20'000, kLongestHeader = 4000;

  void beginHeader(std::size_t at) {
    header_ = at;
    clean_.clear();
  }

  /// Skips one comment, literal or directive, if there is one here; adds what is read to the header.
  bool skipNoise() {
    const char c = text_[at_];
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//"))
      return skipTo("\n", 0);
    if (rest.starts_with("/*"))
      return skipTo("*/", 2);
    if (c == '#' && isFirstOfLine())
      return skipDirective();
    if (c == '"')
      return skipString();
    if (c == '\'' && !(at_ > 0 && isNamePart(text_[at_ - 1])) && isCharacter())
      return true;
    if (clean_.size() < kLongestHeader && c != '{' && c != '}' && c != ';')
      clean_ += c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
    return false;
  }

  bool skipTo(std::string_view end, std::size_t more) {
    const std::size_t found = text_.find(end, at_ + more);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    clean_ += ' ';
    return true;
  }

  bool isFirstOfLine() const {
    std::size_t before = at_;
    while (before > 0 && (text_[before - 1] == ' ' || text_[before - 1] == '\t'))
      --before;
    return before == 0 || text_[before - 1] == '\n';
  }

  bool skipDirective() {
    while (at_ < text_.size()) {
      const std::size_t end = text_.find('\n', at_);
      const std::size_t stop = end == std::string_view::npos ? text_.size() : end;
      const bool goesOn = stop > at_ && text_[stop - 1] == '\\';
      at_ = std::min(text_.size(), stop + 1);
      if (!goesOn)
        break;
    }
    if (trim(clean_).empty())
      beginHeader(at_);
    return true;
  }

  bool skipString() {
    if (at_ > 0 && text_[at_ - 1] == 'R') {
      const std::size_t open = text_.find('(', at_);
      if (open != std::string_view::npos && open - at_ <= 17) {
        const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const std::size_t end = text_.find(close, open);
        at_ = end == std::string_view::npos ? text_.size() : end + close.size();
        return true;
      }
    }
    for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\')
        ++at_;
    at_ = std::min(text_.size(), at_ + 1);
    clean_ += "\"\"";
    return true;
  }

  /// A literal; Rust's lifetimes have no second quote near.
  bool isCharacter() {
    const std::size_t close = text_.find('\'', at_ + (text_.substr(at_ + 1).starts_with("\\") ? 3 : 2));
    if (close == std::string_view::npos || close - at_ > 8)
      return false;
    at_ = close + 1;
    return true;
  }

  /// The name in front of the first parenthesis that begins a list of parameters.
  std::string functionName() const {
    int depth = 0;
    for (std::size_t i = 0; i < clean_.size(); ++i) {
      const char c = clean_[i];
      if (c == '=' && depth == 0 && !clean_.substr(0, i).ends_with("operator"))
        return {};
      if (c == ')')
        --depth;
      if (c != '(')
        continue;
      if (depth++ > 0)
        continue;
      std::size_t end = i;
      while (end > 0 && clean_[end - 1] == ' ')
        --end;
      if (end > 0 && clean_[end - 1] == '>') { // Rust's generics; templates
        int angles = 0;
        do {
          --end;
          angles += clean_[end] == '>' ? 1 : clean_[end] == '<' ? -1 : 0;
        } while (end > 0 && angles > 0);
      }
      std::size_t begin = end;
      while (begin > 0 && isNamePart(clean_[begin - 1]))
        --begin;
      const std::string name = clean_.substr(begin, end - begin);
      if (!name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::ranges::find(kNoNames, name) == kNoNames.end() &&
          name != "::")
        return name;
    }
    return {};
  }

  void openBlock() {
    const std::string name = functionName();
    if (name.empty()) {
      if (trim(clean_).ends_with("=")) // a table
        skipBlock();
      beginHeader(at_ + 1); // a namespace, a class, a block of Rust: what is in it counts
      return;
    }
    std::size_t begin = header_;
    while (begin < at_ && (text_[begin] == '\n' || text_[begin] == ' ' || text_[begin] == '\r' || text_[begin] == '\t'))
      ++begin;
    const std::size_t end = skipBlock();
    Cut cut{.name = name, .text = std::string(text_.substr(begin, std::min(end - begin, kLongestPassage)))};
    cut.firstLine = lineAt(begin);
    cut.lastLine = lineAt(end);
    cuts_.push_back(std::move(cut));
    beginHeader(at_ + 1);
  }

  /// Goes to the brace that closes the block here, and returns the offset behind it. A brace in the first column ends a
  /// function whatever conditionals of the preprocessor did to the count.
  std::size_t skipBlock() {
    int depth = 0;
    while (at_ < text_.size()) {
      const std::size_t before = at_;
      if (skipNoise())
        continue;
      const char c = text_[at_];
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (c == '}' && (depth <= 0 || (at_ > 0 && text_[at_ - 1] == '\n')))
        return at_ + 1;
      at_ = std::max(at_ + 1, before + 1);
    }
    return text_.size();
  }

  unsigned lineAt(std::size_t offset) {
    if (offset < lineOffset_) {
      lineOffset_ = 0;
      line_ = 1;
    }
    line_ += static_cast<unsigned>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(lineOffset_),
                                              text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    lineOffset_ = offset;
    return line_;
  }

  std::string_view text_;
  std::size_t at_ = 0, header_ = 0;
  std::string clean_; ///< the header without comments and literals
  std::vector<Cut> cuts_;
  std::size_t lineOffset_ = 0;
  unsigned line_ = 1;
};

} // namespace

std::vector<Cut> cutFunctions(std::string_view text) {
  return Cutter(text).run();
}

std::vector<Cut> cutLabels(std::string_view text) {
  std::vector<Cut> cuts;
  unsigned line = 0;
  for (std::size_t at = 0; at < text.size();) {
    ++line;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view own = text.substr(at, end - at);
    const std::size_t colon = own.find(':');
    const bool isLabel = colon != std::string_view::npos && colon > 0 && !own.starts_with(".L") && own[0] != '.' &&
                         std::ranges::all_of(own.substr(0, colon), isNamePart) && !(own[0] >= '0' && own[0] <= '9');
    if (isLabel)
      cuts.push_back({.name = std::string(own.substr(0, colon)), .firstLine = line});
    if (!cuts.empty()) {
      cuts.back().lastLine = line;
      if (cuts.back().text.size() + own.size() < kLongestPassage)
        cuts.back().text += std::string(own) + "\n";
    }
    at = end + 1;
  }
  return cuts;
}

} // namespace agentic
