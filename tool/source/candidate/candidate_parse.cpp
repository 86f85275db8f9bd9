#include "tool/source/candidate/candidate_parse.h"

#include "tool/base/text.h"
#include "tool/model/contract_clauses.h"

#include <algorithm>
#include <array>

namespace agentic {
namespace {

/// Names before "(" that do not make a declarator.
bool isNoDeclarator(std::string_view word) {
  return isOneOf(word, {"alignas", "__attribute__", "__attribute", "decltype", "noexcept", "__declspec", "requires",
                        "static_assert", "_Static_assert", "__asm__", "__asm", "asm", "typeof", "__typeof__",
                        "explicit", "sizeof", "alignof", "_Pragma", "throw"});
}

bool isTypeWord(std::string_view word) {
  return isOneOf(word, {"const",   "volatile", "unsigned", "signed",     "int",          "long",     "short",
                        "char",    "float",    "double",   "bool",       "auto",         "struct",   "class",
                        "enum",    "union",    "typename", "__restrict", "__restrict__", "restrict", "void",
                        "char8_t", "char16_t", "char32_t", "wchar_t"});
}

/// Returns the token after a template header "template < … >".
std::size_t skipTemplateHeader(const LexedText &lexed, std::size_t first, std::size_t end) {
  while (first < end && lexed.is(first, "template") && lexed.is(first + 1, "<")) {
    int depth = 0;
    std::size_t i = first + 1;
    for (; i < end; ++i) {
      const std::string_view token = lexed.spelling(i);
      depth += token == "<" ? 1 : token == ">" ? -1 : token == ">>" ? -2 : 0;
      if (depth <= 0)
        break;
      if (token == "(" || token == "{" || token == "[")
        i = lexed.closing(i);
    }
    first = i + 1;
  }
  return first;
}

/// Sets the declarator-id of a function whose parameter list opens at `open`; false if there is none.
bool findDeclarator(const LexedText &lexed, std::size_t first, std::size_t open, CandidateItem &item) {
  for (std::size_t i = open; i-- > first && i + 4 > open;)
    if (lexed.is(i, "operator")) { // operator+, operator(), operator new
      item.qualifier = item.name = i;
      return true;
    }
  std::size_t name = open;
  while (name > first + 1 && lexed.is(name - 1, "]") && lexed.opening(name - 1) != std::string::npos)
    name = lexed.opening(name - 1); // attributes of the name
  if (name <= first || !lexed.isIdentifier(name - 1) || isNoDeclarator(lexed.spelling(name - 1)))
    return false;
  std::size_t qualifier = --name;
  while (qualifier >= first + 2 && lexed.is(qualifier - 1, "::") && lexed.isIdentifier(qualifier - 2) &&
         !isTypeWord(lexed.spelling(qualifier - 2)))
    qualifier -= 2;
  if (qualifier > first + 1 && lexed.is(qualifier - 1, "::") && !lexed.is(qualifier - 2, ">"))
    --qualifier;
  // "f(x);" alone is a macro or a constructor-like call, not a declaration of a function.
  if (qualifier == first)
    return false;
  item.qualifier = qualifier;
  item.name = name;
  return true;
}

/// Adds the names that a declaration without parameter list introduces.
void addName(const LexedText &lexed, std::size_t i, CandidateItem &item) {
  if (lexed.isIdentifier(i) && !isTypeWord(lexed.spelling(i)) &&
      isOneOf(lexed.spelling(i + 1), {"=", "[", "{", ";", ",", ":"}))
    item.names.emplace_back(lexed.spelling(i));
}

class Parser {
public:
  Parser(const LexedText &lexed, const KernelSpec &spec, std::vector<CandidateProblem> &problems)
      : lexed_(lexed), spec_(spec), problems_(problems) {}

  CandidateShape run() {
    if (isBalanced())
      parse(0, lexed_.tokens.size(), 0, false, 0);
    return std::move(shape_);
  }

private:
  bool isBalanced() {
    std::vector<std::pair<std::string_view, std::size_t>> open;
    for (const LexToken &token : lexed_.tokens) {
      const std::string_view text = lexed_.spelling(token);
      if (isOneOf(text, {"(", "[", "{"}))
        open.emplace_back(text == "(" ? ")" : text == "[" ? "]" : "}", token.begin);
      if (!isOneOf(text, {")", "]", "}"}))
        continue;
      if (open.empty() || open.back().first != text) {
        problem(token.begin, "'" + std::string(text) + "' closes nothing; write balanced brackets");
        return false;
      }
      open.pop_back();
    }
    if (!open.empty())
      problem(open.back().second, "bracket is never closed by '" + std::string(open.back().first) + "'");
    return open.empty();
  }

  void problem(std::size_t offset, std::string message) {
    problems_.push_back({"candidate-form", offset, std::move(message)});
  }

  /// Parses the declarations in [first, end); `depth` of the kernel's namespaces are open around them.
  void parse(std::size_t first, std::size_t end, std::size_t depth, bool foreign, int nesting) {
    while (first < end) {
      if (lexed_.is(first, ";")) {
        ++first;
        continue;
      }
      const std::size_t space = lexed_.is(first, "inline") && lexed_.is(first + 1, "namespace") ? first + 1 : first;
      if (lexed_.is(space, "namespace")) {
        const std::size_t after = parseNamespace(first, space, end, depth, foreign, nesting);
        if (after != first) {
          first = after;
          continue;
        }
      }
      if (lexed_.is(first, "extern") && lexed_.is(first + 1, "\"C\"") && lexed_.is(first + 2, "{")) {
        const std::size_t close = std::min(lexed_.closing(first + 2), end - 1);
        unwrap(first, first + 2, close);
        parse(first + 3, close, depth, foreign, nesting + 1);
        first = close + 1;
        continue;
      }
      CandidateItem item = parseItem(lexed_, first, end);
      item.foreign = foreign;
      first = item.last + 1;
      shape_.items.push_back(std::move(item));
    }
  }

  void unwrap(std::size_t first, std::size_t open, std::size_t close) {
    shape_.wrappers.push_back({lexed_.tokens[first].begin, lexed_.tokens[open].end, 0});
    shape_.wrappers.push_back({lexed_.tokens[close].begin, lexed_.tokens[close].end, 0});
  }

  /// Returns the token after the namespace, or `first` if this is no namespace with a body.
  std::size_t parseNamespace(std::size_t first, std::size_t space, std::size_t end, std::size_t depth, bool foreign,
                             int nesting) {
    std::vector<std::string> names;
    std::size_t open = space + 1;
    for (; open < end && !lexed_.is(open, "{"); ++open) {
      if (lexed_.isIdentifier(open) && !lexed_.is(open, "inline"))
        names.emplace_back(lexed_.spelling(open));
      else if (lexed_.is(open, "["))
        open = lexed_.closing(open);
      else if (!lexed_.is(open, "::") && !lexed_.is(open, "inline"))
        return first; // an alias: "namespace a = b;"
    }
    if (open >= end || nesting > 100)
      return first;
    const std::size_t close = std::min(lexed_.closing(open), end - 1);
    std::size_t inner = depth;
    bool ours = !foreign;
    for (const std::string &name : names)
      ours = ours && enter(name, inner);
    const bool helpers = !foreign && !ours && depth == spec_.namespaces.size() && names.front() != "std" &&
                         !names.front().starts_with("__");
    if (helpers) { // a namespace of the candidate's own helpers inside the kernel's
      CandidateItem item;
      item.kind = CandidateItem::Kind::Namespace;
      item.first = first;
      item.last = close;
      item.names = names;
      shape_.items.push_back(std::move(item));
      return close + 1;
    }
    unwrap(first, open, close);
    if (!ours && names.size() > 0 && (names.front() == "std" || names.front().starts_with("__")))
      problem(lexed_.tokens[first].begin, "a declaration in namespace '" + names.front() +
                                              "' changes the library; write a "
                                              "helper function of your own");
    parse(open + 1, close, inner, foreign || !ours, nesting + 1);
    return close + 1;
  }

  /// Returns whether `name` is one of the kernel's next namespaces; an inline one may be omitted.
  bool enter(const std::string &name, std::size_t &depth) const {
    const auto found =
        std::find(spec_.namespaces.begin() + static_cast<std::ptrdiff_t>(depth), spec_.namespaces.end(), name);
    if (found == spec_.namespaces.end())
      return false;
    depth = static_cast<std::size_t>(found - spec_.namespaces.begin()) + 1;
    return true;
  }

  const LexedText &lexed_;
  const KernelSpec &spec_;
  std::vector<CandidateProblem> &problems_;
  CandidateShape shape_;
};

/// Returns the last token of a macro call used as declarations, "DEFINE(add, +)"; kNoToken if it is none.
std::size_t macroEnd(const LexedText &lexed, std::size_t first, std::size_t end) {
  if (!lexed.isIdentifier(first) || !lexed.is(first + 1, "(") || isNoDeclarator(lexed.spelling(first)))
    return kNoToken;
  const std::size_t close = lexed.closing(first + 1);
  if (close + 1 < end && lexed.is(close + 1, ";"))
    return close + 1;
  return close < end && (close + 1 >= end || lexed.isIdentifier(close + 1) || lexed.is(close + 1, "[")) ? close
                                                                                                        : kNoToken;
}

/// Returns whether the brace initialises a member in a constructor's list instead of opening the body.
bool isMemberInitializer(const LexedText &lexed, std::size_t brace, std::size_t close) {
  bool colon = false;
  for (std::size_t i = close + 1; i < brace; ++i) {
    colon |= lexed.is(i, ":");
    if (lexed.is(i, "("))
      i = std::min(lexed.closing(i), brace);
  }
  return colon && (lexed.isIdentifier(brace - 1) || lexed.is(brace - 1, ">"));
}

} // namespace

CandidateItem parseItem(const LexedText &lexed, std::size_t first, std::size_t end) {
  CandidateItem item;
  item.first = item.last = first;
  if (const std::size_t close = macroEnd(lexed, first, end); close != kNoToken) {
    item.last = close;
    return item;
  }
  const std::size_t begin = skipTemplateHeader(lexed, first, end);
  bool initialised = false;
  for (std::size_t i = begin; i < end; ++i) {
    item.last = i;
    const std::string_view token = lexed.spelling(i);
    if (token == ";") {
      if (item.open != kNoToken && !initialised)
        item.kind = CandidateItem::Kind::Prototype;
      return item;
    }
    if (token == "=" && !lexed.is(i - (i > 0), "operator"))
      initialised = true;
    if (item.open == kNoToken)
      addName(lexed, i, item);
    if (token != "(" && token != "[" && token != "{")
      continue;
    const std::size_t close = std::min(lexed.closing(i), end - 1);
    if (token == "(" && item.open == kNoToken && !initialised && findDeclarator(lexed, begin, i, item)) {
      item.open = i;
      item.close = close;
      item.names = {std::string(lexed.spelling(item.name))};
    }
    const bool body =
        token == "{" && item.open != kNoToken && !initialised && !isMemberInitializer(lexed, i, item.close);
    item.last = i = close;
    if (body) {
      item.kind = CandidateItem::Kind::Function;
      return item;
    }
  }
  return item;
}

std::vector<TextSpan> dropContractMacros(LexedText &lexed) {
  std::vector<TextSpan> dropped;
  for (std::size_t i = 0; i < lexed.tokens.size(); ++i) {
    if (lexed.is(i, "AGENTIC_KERNEL") || !isMarkerMacro(lexed.spelling(i)))
      continue;
    const std::size_t begin = lexed.tokens[i].begin;
    if (lexed.is(i + 1, "(") && lexed.closing(i + 1) < lexed.tokens.size())
      i = lexed.closing(i + 1);
    std::size_t end = lexed.tokens[i].end;
    while (end < lexed.text.size() && std::isspace(static_cast<unsigned char>(lexed.text[end])) != 0)
      ++end;
    dropped.push_back({begin, end, begin});
  }
  const auto isDropped = [&](const LexToken &token) {
    return std::ranges::any_of(dropped,
                               [&](const TextSpan &s) { return s.begin <= token.begin && token.begin < s.end; });
  };
  std::erase_if(lexed.tokens, isDropped);
  for (LexDirective &directive : lexed.directives)
    directive.nextToken = lexed.tokenAt(directive.end);
  return dropped;
}

std::string withoutContractMacros(std::string text) {
  LexedText lexed = lexText(text);
  const std::vector<TextSpan> spans = dropContractMacros(lexed);
  for (auto span = spans.rbegin(); span != spans.rend(); ++span)
    text.erase(span->begin, span->end - span->begin);
  return text;
}

CandidateShape parseCandidate(const LexedText &lexed, const KernelSpec &spec, std::vector<CandidateProblem> &problems) {
  return Parser(lexed, spec, problems).run();
}

std::vector<std::string> parameterTypes(const LexedText &lexed, std::size_t open, std::size_t close) {
  std::vector<std::string> types;
  std::vector<std::string> current;
  int depth = 0;
  bool inDefault = false;
  const auto finish = [&] {
    std::string type;
    const std::size_t arrays = static_cast<std::size_t>(std::ranges::count(current, "[]"));
    std::erase(current, "[]");
    if (current.size() > 1 &&
        (std::isalpha(static_cast<unsigned char>(current.back()[0])) || current.back()[0] == '_') &&
        !isTypeWord(current.back()) && current[current.size() - 2] != "::" &&
        !isOneOf(current[current.size() - 2], {"struct", "enum", "class", "const", "<"}))
      current.pop_back();
    for (const std::string &word : current)
      type += (type.empty() || !isTypeWord(word) ? "" : " ") + word;
    for (std::size_t i = 0; i < arrays; ++i)
      type += "*";
    if (!type.empty())
      types.push_back(type);
    current.clear();
    inDefault = false;
  };
  for (std::size_t i = open + 1; i < close; ++i) {
    const std::string_view token = lexed.spelling(i);
    depth += token == "<" ? 1 : token == ">" ? -1 : token == ">>" ? -2 : 0;
    if (token == "," && depth <= 0) {
      finish();
      depth = 0;
      continue;
    }
    if (token == "=" && depth <= 0)
      inDefault = true;
    if (token == "[" || token == "(" || token == "{") {
      if (token == "[" && !inDefault)
        current.emplace_back("[]");
      else if (!inDefault)
        for (std::size_t j = i; j <= lexed.closing(i) && j < close; ++j)
          current.emplace_back(lexed.spelling(j));
      i = lexed.closing(i);
      continue;
    }
    if (!inDefault)
      current.emplace_back(token);
  }
  finish();
  if (types == std::vector<std::string>{" void"} || types == std::vector<std::string>{"void"})
    types.clear();
  return types;
}

} // namespace agentic
