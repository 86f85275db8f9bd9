#include "tool/source/candidate/candidate_conditionals.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

namespace agentic {
namespace {

bool hasWord(std::string_view words, std::string_view word) {
  const std::vector<std::string> list = split(words, ' ');
  return std::ranges::find(list, word) != list.end();
}

bool isFeatureMacro(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kPrefixes = {"__AVX", "__SSE",  "__AMX",
                                                                "__BMI", "__ARM_", "__riscv"};
  static constexpr std::array<std::string_view, 11> kNames = {"__FMA__",   "__F16C__",   "__LZCNT__",  "__POPCNT__",
                                                              "__MOVBE__", "__GFNI__",   "__VAES__",   "__VPCLMULQDQ__",
                                                              "__amd64__", "__x86_64__", "__aarch64__"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
         std::ranges::find(kNames, name) != kNames.end() ||
         std::ranges::any_of(levels(), [&](const Level &level) { return hasWord(level.macros, name); });
}

bool isDefined(std::string_view name, const Level &level) {
  const std::string_view processor = name == "__amd64__" ? "__x86_64__" : name;
  return hasWord(level.macros, name) || level.guard.find("(" + std::string(processor) + ")") != std::string_view::npos;
}

/// Evaluates || && == != < > <= >= ! ( ) defined, numbers and feature macros by precedence climbing.
class Condition {
public:
  Condition(std::string_view text, const std::vector<LexToken> &tokens, const Level &level)
      : text_(text), tokens_(tokens), level_(level) {}

  std::optional<long> value() {
    const long result = binary(0);
    return failed_ || next_ != tokens_.size() || tokens_.empty() ? std::nullopt : std::optional(result);
  }

private:
  std::string_view peek() const {
    return next_ < tokens_.size() ? text_.substr(tokens_[next_].begin, tokens_[next_].end - tokens_[next_].begin)
                                  : std::string_view();
  }
  std::string_view take() {
    const std::string_view result = peek();
    ++next_;
    return result;
  }
  static int precedence(std::string_view op) {
    if (op == "||")
      return 1;
    if (op == "&&")
      return 2;
    if (op == "==" || op == "!=")
      return 3;
    return op == "<" || op == ">" || op == "<=" || op == ">=" ? 4 : 0;
  }
  static long apply(std::string_view op, long a, long b) {
    if (op == "||")
      return a || b;
    if (op == "&&")
      return a && b;
    if (op == "==")
      return a == b;
    if (op == "!=")
      return a != b;
    if (op == "<")
      return a < b;
    if (op == ">")
      return a > b;
    return op == "<=" ? a <= b : a >= b;
  }
  long binary(int least) {
    long left = unary();
    while (!failed_ && precedence(peek()) > least) {
      const std::string_view op = take();
      left = apply(op, left, binary(precedence(op)));
    }
    return left;
  }
  long unary() {
    if (failed_ || ++depth_ > 200 || next_ >= tokens_.size())
      return fail();
    const std::string_view token = take();
    if (token == "!")
      return !unary();
    if (token == "(") {
      const long inner = binary(0);
      return take() == ")" ? inner : fail();
    }
    if (token == "defined")
      return definedOperand();
    long number = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), number);
    if (error == std::errc() && (end == token.data() + token.size() || *end == 'L' || *end == 'U'))
      return number;
    return isFeatureMacro(token) ? isDefined(token, level_) : fail();
  }
  long definedOperand() {
    const bool parenthesis = peek() == "(";
    if (parenthesis)
      take();
    const std::string_view name = take();
    if ((parenthesis && take() != ")") || !isFeatureMacro(name))
      return fail();
    return isDefined(name, level_);
  }
  long fail() {
    failed_ = true;
    return 0;
  }

  std::string_view text_;
  const std::vector<LexToken> &tokens_;
  const Level &level_;
  std::size_t next_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

/// Indices of the directives of one `#if … #endif`.
using Group = std::vector<std::size_t>;

std::vector<Group> groupsOf(const LexedText &lexed, std::vector<CandidateProblem> &problems) {
  Conditionals all = conditionalsOf(lexed);
  for (const std::size_t i : all.strays)
    problems.push_back({"directives", lexed.directives[i].begin, "#" + lexed.directives[i].keyword + " without #if"});
  for (const Group &group : all.open)
    problems.push_back({"directives", lexed.directives[group.front()].begin, "conditional without #endif"});
  return std::move(all.groups);
}

std::string_view textOf(const LexedText &lexed, const LexDirective &directive) {
  return lexed.text.substr(directive.begin, directive.end - directive.begin);
}

/// The directives of the kernel as its author wrote it, and of SOURCE: a candidate may repeat them.
struct KnownDirectives {
  std::set<std::string> kernel, prelude;
  std::map<std::vector<std::string>, std::optional<std::size_t>> decided; ///< empty where SOURCE decides it both ways
  explicit KnownDirectives(const KernelSpec &spec) {
    for (const DecidedConditional &conditional : spec.conditionals) {
      const auto [known, isNew] = decided.try_emplace(conditional.directives, conditional.taken);
      if (!isNew && known->second != conditional.taken)
        known->second.reset();
    }
    for (const std::string &directive : spec.prelude)
      prelude.insert(tokenText(directive));
    const LexedText lexed = lexText(spec.text);
    for (const LexDirective &directive : lexed.directives)
      kernel.insert(tokenText(textOf(lexed, directive)));
  }
};

class Resolver {
public:
  Resolver(const KernelSpec &spec, const Level &level, LexedText &lexed, EditList &edits,
           std::vector<CandidateProblem> &problems)
      : known_(spec), level_(level), lexed_(lexed), edits_(edits), problems_(problems) {}

  void run() {
    for (const Group &group : groupsOf(lexed_, problems_))
      resolve(group);
    dropPreludeDirectives();
    std::erase_if(lexed_.tokens, [&](const LexToken &token) { return isIn(unread_, token.begin); });
    std::erase_if(lexed_.directives, [&](const LexDirective &directive) {
      return isIn(unread_, directive.begin) || isConditionalDirective(directive.keyword);
    });
  }

private:
  static bool isIn(const std::vector<LineRange> &ranges, std::size_t offset) {
    return std::ranges::any_of(ranges,
                               [&](const LineRange &range) { return range.begin <= offset && offset < range.end; });
  }

  /// Removes text that does not ship.
  void removeLines(std::size_t begin, std::size_t end) {
    const LineRange lines = wholeLines(lexed_.text, begin, end);
    edits_.remove(lines.begin, lines.end);
    unread_.push_back(lines);
  }

  void resolve(const Group &group) {
    if (isPartOfPrelude(group))
      return removeLines(lexed_.directives[group.front()].begin, lexed_.directives[group.back()].end);
    std::vector<std::optional<long>> values = conditionValues(lexed_, group, &level_);
    if (const std::optional<std::size_t> taken = takenInSource(group)) {
      values.assign(group.size(), 0);
      values[*taken] = 1;
    }
    if (std::ranges::any_of(values, [](const std::optional<long> &value) { return !value; }))
      return keep(group, values);
    bool taken = false;
    for (std::size_t part = 0; part + 1 < group.size(); ++part) {
      const LexDirective &directive = lexed_.directives[group[part]];
      const bool live = !taken && *values[part] != 0;
      taken |= live;
      if (live)
        removeLines(directive.begin, directive.end);
      else // up to the group's next directive
        removeLines(directive.begin, lineStart(lexed_.directives[group[part + 1]].begin));
    }
    const LexDirective &last = lexed_.directives[group.back()];
    removeLines(last.begin, last.end);
  }

  /// The branch of a conditional that a candidate repeats from SOURCE.
  std::optional<std::size_t> takenInSource(const Group &group) const {
    std::vector<std::string> directives;
    for (const std::size_t i : group)
      directives.push_back(tokenText(textOf(lexed_, lexed_.directives[i])));
    const auto known = known_.decided.find(directives);
    return known == known_.decided.end() ? std::nullopt : known->second;
  }

  /// A conditional that is not about levels stays if the kernel itself or SOURCE has it; only its first branch is read.
  void keep(const Group &group, const std::vector<std::optional<long>> &values) {
    for (std::size_t part = 0; part < group.size(); ++part) {
      const LexDirective &directive = lexed_.directives[group[part]];
      const std::string text = tokenText(textOf(lexed_, directive));
      if (!values[part] && !known_.kernel.contains(text) && !known_.prelude.contains(text))
        problems_.push_back({"directives", directive.begin,
                             "conditionals may test only level-feature macros such as __AVX2__ or __AVX512F__; write "
                             "the one version for this level"});
    }
    if (group.size() > 2)
      unread_.push_back({lexed_.directives[group[1]].begin, lexed_.directives[group.back()].begin});
  }

  bool isPartOfPrelude(const Group &group) const {
    const std::size_t begin = lexed_.directives[group.front()].begin, end = lexed_.directives[group.back()].end;
    const bool holdsCode = std::ranges::any_of(
        lexed_.tokens, [&](const LexToken &token) { return begin < token.begin && token.begin < end; });
    return !holdsCode && std::ranges::all_of(lexed_.directives, [&](const LexDirective &directive) {
      return directive.begin < begin || directive.begin > end ||
             known_.prelude.contains(tokenText(textOf(lexed_, directive)));
    });
  }

  void dropPreludeDirectives() {
    for (const LexDirective &directive : lexed_.directives)
      if (!isConditionalDirective(directive.keyword) && directive.keyword != "include" &&
          directive.keyword != "pragma" && known_.prelude.contains(tokenText(textOf(lexed_, directive))))
        removeLines(directive.begin, directive.end);
  }

  std::size_t lineStart(std::size_t offset) const { return wholeLines(lexed_.text, offset, offset).begin; }

  const KnownDirectives known_;
  const Level &level_;
  LexedText &lexed_;
  EditList &edits_;
  std::vector<CandidateProblem> &problems_;
  std::vector<LineRange> unread_;
};

} // namespace

LineRange wholeLines(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
    --begin;
  if (end > begin && end <= text.size() && text[end - 1] == '\n')
    return {begin, end};
  // A comment after a directive goes with it.
  while (end < text.size() && text[end] != '\n' && text.substr(end, 2) != "/*")
    ++end;
  return {begin, std::min(end + (end < text.size() && text[end] == '\n' ? 1 : 0), text.size())};
}

std::optional<long> levelCondition(std::string_view text, const LexDirective &directive, const Level &level) {
  const std::string &keyword = directive.keyword;
  if (keyword == "if" || keyword == "elif")
    return Condition(text, directive.tokens, level).value();
  if (directive.tokens.size() != 1)
    return std::nullopt;
  const std::string_view name =
      text.substr(directive.tokens[0].begin, directive.tokens[0].end - directive.tokens[0].begin);
  if (!isFeatureMacro(name))
    return std::nullopt;
  const bool defined = isDefined(name, level);
  return keyword == "ifdef" || keyword == "elifdef" ? defined : !defined;
}

std::vector<std::optional<long>> conditionValues(const LexedText &lexed, const std::vector<std::size_t> &group,
                                                 const Level *level) {
  std::vector<std::optional<long>> values;
  for (const std::size_t i : group) {
    const LexDirective &directive = lexed.directives[i];
    if (directive.keyword == "else" || directive.keyword == "endif")
      values.emplace_back(1);
    else
      values.push_back(level ? levelCondition(lexed.text, directive, *level) : std::nullopt);
  }
  return values;
}

void resolveConditionals(const KernelSpec &spec, const Level &level, LexedText &lexed, EditList &edits,
                         std::vector<CandidateProblem> &problems) {
  Resolver(spec, level, lexed, edits, problems).run();
}

} // namespace agentic
