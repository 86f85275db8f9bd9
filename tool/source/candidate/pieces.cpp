#include "tool/source/candidate/pieces.h"

#include "tool/source/candidate/piece_extent.h"
#include "tool/source/candidate/plain_calls.h"
#include "tool/source/parse/lexed_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace agentic {
namespace {

constexpr std::size_t kMostShown = 60;

template <std::size_t N> bool isAmong(std::string_view word, const std::array<std::string_view, N> &words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr auto kLoops = std::to_array<std::string_view>({"for", "while", "switch"});
constexpr auto kClassKeys = std::to_array<std::string_view>({"struct", "class", "union"});
constexpr auto kBodyBefore = std::to_array<std::string_view>({")", "const", "noexcept", "override", "final"});
constexpr auto kAssertions = std::to_array<std::string_view>({"static_assert", "_Static_assert", "assert"});
constexpr auto kRestrict = std::to_array<std::string_view>({"__restrict", "__restrict__", "restrict"});
constexpr auto kAttributeCalls = std::to_array<std::string_view>({"__attribute__", "alignas", "_Alignas", "_Pragma"});
/// Words of attributes that only tell the compiler what to try, or a reader what is meant.
constexpr auto kHintWords = std::to_array<std::string_view>(
    {"__attribute__", "gnu", "clang", "always_inline", "__always_inline__", "noinline", "flatten", "hot", "cold",
     "likely", "unlikely", "assume", "maybe_unused", "unused", "__unused__", "nodiscard"});
/// Pragmas with a meaning: how floats round, how structures are laid out.
constexpr auto kMeaning = std::to_array<std::string_view>(
    {"STDC", "fp", "pack", "float_control", "target", "push_options", "pop_options", "optimize"});

enum class Scope { File, Function };

class Cutter {
public:
  explicit Cutter(const std::string &text)
      : text_(text), lexed_(lexText(text)), conditionals_(conditionalsOf(lexed_)) {}

  std::vector<TextPiece> run() {
    for (const LexDirective &directive : lexed_.directives)
      addDirective(directive);
    addAttributes();
    items(0, lexed_.tokens.size(), 0, Scope::File);
    addCalls();
    std::erase_if(pieces_, [this](const TextPiece &piece) { return splitsConditional(piece); });
    std::ranges::sort(pieces_, [](const TextPiece &a, const TextPiece &b) {
      return std::tuple(a.kind, a.depth, a.begin) < std::tuple(b.kind, b.depth, b.begin);
    });
    return std::move(pieces_);
  }

private:
  bool is(std::size_t i, std::string_view what) const { return lexed_.is(i, what); }
  std::size_t count() const { return lexed_.tokens.size(); }
  std::size_t beginOf(std::size_t i) const { return lexed_.tokens[i].begin; }
  std::size_t endOf(std::size_t i) const { return lexed_.tokens[i].end; }

  /// Adds the piece of the tokens [first, last).
  void add(PieceKind kind, std::size_t first, std::size_t last, std::size_t depth, bool isHint, std::string text = {}) {
    if (first < last && last <= count())
      addRange(kind, beginOf(first), endOf(last - 1), depth, isHint, std::move(text));
  }
  void addRange(PieceKind kind, std::size_t begin, std::size_t end, std::size_t depth, bool isHint,
                std::string text = {}) {
    std::string shown = tokenText(std::string_view(text_).substr(begin, std::min(end - begin, 4 * kMostShown)));
    shown = shown.substr(0, shown.find('\n', 1));
    if (shown.size() > kMostShown)
      shown = shown.substr(0, kMostShown) + "...";
    pieces_.push_back({kind, begin, end, std::move(text), depth, isHint, std::move(shown)});
  }

  void addDirective(const LexDirective &directive) {
    if (directive.keyword != "pragma" && directive.keyword != "define" && directive.keyword != "undef")
      return;
    const bool isHint = directive.keyword == "pragma" && std::ranges::none_of(directive.tokens, [&](const LexToken &t) {
                          return isAmong(lexed_.spelling(t), kMeaning);
                        });
    addRange(PieceKind::Directive, directive.begin, directive.end, 0, isHint);
  }

  bool isHintAttribute(std::size_t first, std::size_t last) const {
    if (is(first, "_Pragma"))
      return std::ranges::none_of(kMeaning, [&](std::string_view word) {
        return std::string_view(text_).substr(beginOf(first), endOf(last - 1) - beginOf(first)).contains(word);
      });
    for (std::size_t i = first; i < last; ++i)
      if (lexed_.isIdentifier(i) && !isAmong(lexed_.spelling(i), kHintWords))
        return false;
    return !is(first, "alignas") && !is(first, "_Alignas");
  }

  void addAttributes() {
    for (std::size_t i = 0; i < count(); ++i) {
      std::size_t last = i;
      if (is(i, "[") && is(i + 1, "[") && lexed_.closing(i + 1) + 1 == lexed_.closing(i))
        last = lexed_.closing(i) + 1;
      else if (isAmong(lexed_.spelling(i), kAttributeCalls) && is(i + 1, "(") && lexed_.closing(i + 1) < count())
        last = lexed_.closing(i + 1) + 1;
      else if (isAmong(lexed_.spelling(i), kRestrict))
        last = i + 1;
      if (last == i)
        continue;
      const bool isRestrict = last == i + 1;
      add(PieceKind::Attribute, i, last, 0, isRestrict || isHintAttribute(i, last));
      i = last - 1;
    }
  }

  /// Adds the statements or declarations in [at, end).
  void items(std::size_t at, std::size_t end, std::size_t depth, Scope scope) {
    while (at < end) {
      const std::size_t next = item(at, end, depth, scope);
      at = std::max(next, at + 1);
    }
  }

  std::size_t afterAttributes(std::size_t at) const {
    for (;;) {
      if (is(at, "[") && is(at + 1, "["))
        at = lexed_.closing(at) + 1;
      else if (isAmong(lexed_.spelling(at), kAttributeCalls) && is(at + 1, "("))
        at = lexed_.closing(at + 1) + 1;
      else
        return at;
    }
  }

  /// Returns the token after a label, or `at` itself.
  std::size_t afterLabel(std::size_t at, std::size_t end) const {
    if (is(at, "case")) {
      while (at < end && !is(at, ":"))
        ++at;
      return at + 1;
    }
    return lexed_.isIdentifier(at) && is(at + 1, ":") ? at + 2 : at;
  }

  /// Adds one statement or declaration with all that is in it, and returns the token after it.
  std::size_t item(std::size_t begin, std::size_t end, std::size_t depth, Scope scope) {
    if (const std::size_t after = afterLabel(begin, end); after != begin)
      return after;
    const std::size_t at = afterAttributes(begin);
    const std::string_view head = lexed_.spelling(at);
    if (head == "namespace" || (head == "extern" && is(at + 2, "{")))
      return opened(at, end, depth);
    const std::size_t after = scope == Scope::Function ? statement(at, end, depth) : declaration(at, end, depth, scope);
    if (after == 0)
      return end; // brackets without a partner: nothing more can be told apart
    const std::string_view word = lexed_.spelling(at);
    if (!isAmong(word, kAssertions) && !(after == at + 1 && word == ";" && scope == Scope::File))
      add(PieceKind::Statement, begin, after, depth, isHintCall(word) && after == lexed_.closing(at + 1) + 2);
    return after;
  }

  /// The items of a namespace count as those around it.
  std::size_t opened(std::size_t at, std::size_t end, std::size_t depth) {
    std::size_t brace = at;
    while (brace < end && !is(brace, "{") && !is(brace, ";"))
      ++brace;
    const std::size_t close = is(brace, "{") ? lexed_.closing(brace) : brace;
    if (close >= end)
      return end;
    if (is(brace, "{"))
      items(brace + 1, close, depth, Scope::File);
    return close + 1;
  }

  /// The statement behind a header: its own statements can go, it cannot. 0: brackets without a partner.
  std::size_t body(std::size_t at, std::size_t end, std::size_t depth) {
    at = afterAttributes(at);
    if (is(at, "{")) {
      const std::size_t close = lexed_.closing(at);
      if (close >= end)
        return 0;
      items(at + 1, close, depth, Scope::Function);
      return close + 1;
    }
    return statement(at, end, depth);
  }

  std::size_t indentAt(std::size_t offset) const {
    const std::size_t line = text_.rfind('\n', offset) + 1; // npos + 1 is the begin of the text
    return text_.find_first_not_of(" \t", line) - line;
  }

  /// The text that the header or block at `header` leaves behind, moved to its column.
  std::string inner(std::size_t header, std::size_t first, std::size_t last) const {
    std::size_t begin = beginOf(first), end = endOf(last - 1);
    if (is(first, "{")) { // what is between the braces, comments and directives as well
      begin = text_.find_first_not_of(" \t\n", endOf(first));
      end = text_.find_last_not_of(" \t\n", beginOf(last - 1) - 1) + 1;
    }
    if (begin >= end)
      return {};
    std::string text = text_.substr(begin, end - begin);
    const std::size_t own = indentAt(begin), deeper = own - std::min(own, indentAt(beginOf(header)));
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      text.erase(at + 1, std::min(deeper, text.find_first_not_of(" \t", at + 1) - (at + 1)));
    return text;
  }

  std::size_t conditional(std::size_t at, std::size_t end, std::size_t depth) {
    std::size_t open = at + 1;
    if (is(open, "constexpr"))
      ++open;
    const std::size_t close = is(open, "(") ? lexed_.closing(open) : end;
    const std::size_t yes = close < end ? body(close + 1, end, depth + 1) : 0;
    if (yes == 0)
      return 0;
    std::size_t last = yes;
    if (is(yes, "else")) {
      last = body(yes + 1, end, depth + 2);
      if (last == 0)
        return 0;
      add(PieceKind::Statement, yes, last, depth + 1, false);
    }
    add(PieceKind::Header, at, last, depth, false, inner(at, close + 1, yes));
    return last;
  }

  /// Returns the token after the statement; 0: brackets without a partner.
  std::size_t statement(std::size_t at, std::size_t end, std::size_t depth) {
    if (at >= end)
      return 0;
    const std::string_view head = lexed_.spelling(at);
    if (head == "{") {
      const std::size_t after = body(at, end, depth + 1);
      if (after > 0)
        add(PieceKind::Header, at, after, depth, false, inner(at, at, after));
      return after;
    }
    if (head == "if")
      return conditional(at, end, depth);
    if (isAmong(head, kLoops)) {
      const std::size_t close = is(at + 1, "(") ? lexed_.closing(at + 1) : end;
      return close < end ? body(close + 1, end, depth + 1) : 0;
    }
    if (head == "do") {
      const std::size_t after = body(at + 1, end, depth + 1);
      const std::size_t close = after > 0 && is(after + 1, "(") ? lexed_.closing(after + 1) : end;
      return close + 1 < end ? close + 2 : 0;
    }
    return declaration(at, end, depth, Scope::Function);
  }

  /// A declaration or an expression: to its semicolon, or to the brace of a function's body.
  std::size_t declaration(std::size_t at, std::size_t end, std::size_t depth, Scope scope) {
    bool isClass = false, hasValue = false;
    for (std::size_t i = at; i < end; ++i) {
      isClass = isClass || isAmong(lexed_.spelling(i), kClassKeys);
      hasValue = hasValue || is(i, "=");
      if (is(i, ";"))
        return i + 1;
      if (is(i, "}") || is(i, ")") || is(i, "]"))
        return 0;
      if (!is(i, "(") && !is(i, "[") && !is(i, "{"))
        continue;
      const std::size_t close = lexed_.closing(i);
      if (close >= end)
        return 0;
      if (is(i, "{") && i > at) {
        const bool isBody = !hasValue && (isAmong(lexed_.spelling(i - 1), kBodyBefore) || hasArrow(at, i));
        if (isClass && !is(i - 1, ")")) {
          items(i + 1, close, depth + 1, Scope::File);
        } else if (isBody && scope == Scope::File) {
          items(i + 1, close, depth + 1, Scope::Function);
          return close + 1;
        } else if (is(i - 1, ")") || is(i - 1, "]") || is(i - 1, "mutable")) { // of a lambda
          items(i + 1, close, depth + 1, Scope::Function);
        }
      }
      i = close;
    }
    return 0;
  }

  bool hasArrow(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i)
      if (is(i, "->"))
        return true;
    return false;
  }

  std::vector<std::string> arguments(std::size_t open, std::size_t close) const {
    std::vector<std::string> list;
    std::size_t first = open + 1;
    for (std::size_t i = open + 1; i <= close; ++i) {
      if (i < close && (is(i, "(") || is(i, "[") || is(i, "{"))) {
        i = lexed_.closing(i);
        continue;
      }
      if (i == close || is(i, ",")) {
        list.push_back(first < i ? text_.substr(beginOf(first), endOf(i - 1) - beginOf(first)) : std::string());
        first = i + 1;
      }
    }
    return list;
  }

  /// Returns whether an operation between these tokens needs no parentheses.
  bool standsAlone(std::size_t before, std::size_t after) const {
    constexpr auto kBefore = std::to_array<std::string_view>({"=", "(", ",", "return", "+=", "-=", "*=", "{"});
    constexpr auto kAfter = std::to_array<std::string_view>({";", ",", ")", "}"});
    return isAmong(lexed_.spelling(before), kBefore) && isAmong(lexed_.spelling(after), kAfter);
  }

  void addCalls() {
    std::vector<std::size_t> open; ///< the ends of the calls around
    for (std::size_t i = 1; i + 1 < count(); ++i) {
      while (!open.empty() && open.back() < i)
        open.pop_back();
      if (!lexed_.isIdentifier(i) || !is(i + 1, "("))
        continue;
      const std::size_t close = lexed_.closing(i + 1);
      const auto plain = close < count() ? plainCall(lexed_.spelling(i), arguments(i + 1, close)) : std::nullopt;
      if (!plain)
        continue;
      const bool isBare = !plain->isOperation || standsAlone(i - 1, close + 1);
      add(PieceKind::Call, i, close + 1, open.size(), plain->isSame, isBare ? plain->text : "(" + plain->text + ")");
      open.push_back(close);
    }
  }

  /// Directives of one conditional stay or go together.
  bool splitsConditional(const TextPiece &piece) const {
    const auto isInside = [&](std::size_t directive) {
      const std::size_t begin = lexed_.directives[directive].begin;
      return piece.begin <= begin && begin < piece.end;
    };
    return std::ranges::any_of(conditionals_.groups, [&](const std::vector<std::size_t> &group) {
      const auto inside = std::ranges::count_if(group, isInside);
      return inside > 0 && inside < std::ssize(group);
    });
  }

  const std::string &text_;
  LexedText lexed_;
  Conditionals conditionals_;
  std::vector<TextPiece> pieces_;
};

} // namespace

std::vector<TextPiece> piecesOf(const std::string &text) {
  return Cutter(text).run();
}

std::string withoutPieces(const std::string &text, std::span<const TextPiece> pieces) {
  const PieceExtents extents(text);
  std::string result;
  std::size_t at = 0;
  for (const TextPiece &piece : pieces) {
    auto [begin, end] = extents.of(piece);
    begin = std::max(begin, at);
    if (end < begin)
      continue;
    result += text.substr(at, begin - at) + piece.text;
    at = end;
  }
  return result + text.substr(at);
}

} // namespace agentic
