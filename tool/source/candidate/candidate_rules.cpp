#include "tool/source/candidate/candidate_rules.h"

#include "tool/base/text.h"
#include "tool/model/allowed_headers.h"
#include "tool/source/candidate/candidate_closure.h"

#include <algorithm>
#include <array>
#include <set>

namespace agentic {
namespace {

bool isPlain(char c) {
  return c == '\n' || c == '\t' || (c >= ' ' && c <= '~');
}

std::string described(char c) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("0x") + kDigits[byte >> 4] + kDigits[byte & 15];
}

std::vector<std::string> typesOf(const LexedText &lexed, const CandidateItem &item) {
  return parameterTypes(lexed, item.open, item.close);
}

bool hasTrigraph(std::string_view line) {
  for (std::size_t i = line.find("??"); i != std::string_view::npos; i = line.find("??", i + 1))
    if (i + 2 < line.size() && std::string_view("=/'()!<>-").find(line[i + 2]) != std::string_view::npos)
      return true;
  return false;
}

bool isTemplate(const LexedText &lexed, const CandidateItem &item) {
  return lexed.is(item.first, "template");
}

/// Returns whether the declarator-id can name the kernel: unqualified, or qualified with the end of its namespaces.
bool isKernelName(const LexedText &lexed, const KernelSpec &spec, const CandidateItem &item) {
  if (item.name == kNoToken || !lexed.is(item.name, spec.identifier))
    return false;
  std::vector<std::string> qualifier;
  for (std::size_t i = item.qualifier; i < item.name; ++i)
    if (lexed.isIdentifier(i))
      qualifier.emplace_back(lexed.spelling(i));
  return qualifier.empty() || std::ranges::search(spec.namespaces, qualifier).begin() != spec.namespaces.end();
}

} // namespace

bool hasBalancedBrackets(std::string_view define) {
  // The '#' is left out, so that the lexer sees plain tokens, not a directive.
  const LexedText lexed = lexText(define.substr(1));
  for (std::size_t i = 0; i < lexed.tokens.size(); ++i) {
    if (lexed.is(i, ")") || lexed.is(i, "]") || lexed.is(i, "}"))
      return false;
    if (!lexed.is(i, "(") && !lexed.is(i, "[") && !lexed.is(i, "{"))
      continue;
    const std::size_t close = lexed.closing(i);
    if (close == lexed.tokens.size())
      return false;
    i = close;
  }
  return true;
}

std::set<std::string> linesOf(const KernelSpec &spec) {
  const std::vector<std::string> lines = split(textWithClosure(spec), '\n');
  return {lines.begin(), lines.end()};
}

void checkCharacters(const KernelSpec &spec, std::string_view candidate, std::vector<CandidateProblem> &problems) {
  if (std::ranges::all_of(candidate, isPlain) && !hasTrigraph(candidate))
    return;
  const std::set<std::string> own = linesOf(spec);
  std::size_t begin = 0;
  for (const std::string &line : split(candidate, '\n')) {
    const auto bad = std::ranges::find_if_not(line, isPlain);
    if (bad != line.end() && !own.contains(line))
      problems.push_back({"characters", begin + static_cast<std::size_t>(bad - line.begin()),
                          "byte " + described(*bad) + " is not printable ASCII; write plain text, in comments too"});
    if (hasTrigraph(line) && !own.contains(line))
      problems.push_back({"characters", begin + line.find("??"), "a trigraph; write the character it stands for"});
    begin += line.size() + 1;
  }
}

void checkTokens(const KernelSpec &spec, const LexedText &lexed, std::vector<CandidateProblem> &problems) {
  static constexpr std::array<std::string_view, 4> kDigraphs = {"<%", "%>", "<:", ":>"};
  static constexpr std::array<std::string_view, 4> kDirectives = {"include", "define", "undef", "pragma"};
  for (const LexToken &token : lexed.tokens) {
    const std::string_view text = lexed.spelling(token);
    if (std::ranges::find(kDigraphs, text) != kDigraphs.end())
      problems.push_back({"candidate-form", token.begin,
                          "alternative spelling '" + std::string(text) + "' of a bracket; write the bracket"});
    else if (token.kind != LexToken::Kind::String && text.find('\\') != std::string_view::npos)
      problems.push_back({"candidate-form", token.begin, "a word is split by a backslash; write it on one line"});
  }
  for (const LexDirective &directive : lexed.directives) {
    const std::string_view text = lexed.text.substr(directive.begin, directive.end - directive.begin);
    if (spec.text.find(text) != std::string::npos)
      continue;
    if (std::ranges::find(kDirectives, directive.keyword) == kDirectives.end() &&
        !isConditionalDirective(directive.keyword))
      problems.push_back({"directives", directive.begin,
                          "#" + directive.keyword + " is not allowed in a candidate; write plain code"});
    if (directive.keyword == "define" && !hasBalancedBrackets(text))
      problems.push_back(
          {"directives", directive.begin,
           "the macro's text opens or closes a bracket that it does not match; write a helper function"});
  }
}

void checkEnding(const LexedText &lexed, std::vector<CandidateProblem> &problems) {
  std::size_t last = lexed.tokens.empty() ? 0 : lexed.tokens.back().end;
  if (!lexed.directives.empty())
    last = std::max(last, lexed.directives.back().end);
  std::string_view tail = lexed.text.substr(last);
  // Only blanks and comments are left; an open comment would continue into our text.
  while (!(tail = trim(tail)).empty() && tail.starts_with('/')) {
    const bool isLine = tail.starts_with("//");
    const std::size_t end = isLine ? tail.find('\n') : tail.find("*/", 2);
    if (!isLine && end == std::string_view::npos) {
      problems.push_back({"candidate-form", static_cast<std::size_t>(tail.data() - lexed.text.data()),
                          "the comment at the end is never closed"});
      return;
    }
    tail = end == std::string_view::npos ? std::string_view() : tail.substr(end + (isLine ? 1 : 2));
  }
  if (trim(lexed.text).ends_with('\\'))
    problems.push_back({"candidate-form", lexed.text.size(), "the last line ends with a backslash"});
}

std::string includedHeader(std::string_view text, const LexDirective &directive) {
  const std::string_view whole = text.substr(directive.begin, directive.end - directive.begin);
  const std::size_t open = whole.find_first_of("<\"");
  if (open == std::string_view::npos)
    return {};
  const std::size_t close = whole.find(whole[open] == '<' ? '>' : '"', open + 1);
  return close == std::string_view::npos ? std::string() : std::string(whole.substr(open, close - open + 1));
}

bool checkInclude(const KernelSpec &spec, const std::string &header, std::size_t offset,
                  std::vector<CandidateProblem> &problems) {
  if (isAllowedHeader(header, spec.policy, spec.language))
    return true;
  problems.push_back({"includes", offset,
                      (header.empty() ? std::string("this #include") : "header " + header) +
                          (spec.language == Language::C
                               ? " is not allowed: the kernel is C; allowed are <stddef.h>, <stdint.h>, <stdbool.h>, "
                                 "<string.h>, <math.h>, <float.h>, <limits.h>, <assert.h> and the "
                               : " is not allowed; allowed are <cstddef>, <cstdint>, <cstring>, <cmath>, <algorithm>, "
                                 "<numeric>, <array>, <bit>, <limits>, <type_traits>, <utility>, <span>, <cassert> and "
                                 "the ") +
                          "intrinsics' headers (headers of the kernel's own file are there already)"});
  return false;
}

bool isKernelPrototype(const LexedText &lexed, const KernelSpec &spec, const CandidateItem &item) {
  return item.kind == CandidateItem::Kind::Prototype && !isTemplate(lexed, item) && isKernelName(lexed, spec, item) &&
         typesOf(lexed, item).size() == spec.parameters.size();
}

bool redefinesCopy(const LexedText &lexed, const KernelSpec &spec, const CandidateItem &item) {
  if (item.kind != CandidateItem::Kind::Function || item.names.empty())
    return false;
  return std::ranges::any_of(spec.closure, [&](const Fragment &fragment) {
    if (fragment.kind != Fragment::Kind::Function || unqualified(fragment.name) != item.names.front())
      return false;
    LexedText text = lexText(fragment.text);
    dropContractMacros(text);
    const CandidateItem copy = parseItem(text, 0, text.tokens.size());
    return copy.open != kNoToken && typesOf(text, copy) == typesOf(lexed, item);
  });
}

const CandidateItem *findKernel(const LexedText &lexed, const KernelSpec &spec, const CandidateShape &shape,
                                std::vector<CandidateProblem> &problems) {
  LexedText original = lexText(spec.text);
  dropContractMacros(original);
  const CandidateItem definition = parseItem(original, 0, original.tokens.size());
  const std::vector<std::string> types =
      definition.open == kNoToken ? std::vector<std::string>() : typesOf(original, definition);
  const auto definitions = [&](bool isForeign) {
    std::vector<const CandidateItem *> found;
    for (const CandidateItem &item : shape.items)
      if (item.kind == CandidateItem::Kind::Function && item.foreign == isForeign && !isTemplate(lexed, item) &&
          isKernelName(lexed, spec, item) && (!isForeign || typesOf(lexed, item) == types))
        found.push_back(&item);
    return found;
  };
  std::vector<const CandidateItem *> named = definitions(false);
  if (named.empty()) // in a namespace of another name
    named = definitions(true);
  if (named.empty()) {
    problems.push_back({"candidate-form", 0,
                        "no definition of the kernel function '" + spec.function + "'; write '" + spec.signature +
                            " { ... }' as a free function"});
    return nullptr;
  }
  // Overloads are helpers.
  const auto keep = [&](auto &&fits) {
    std::vector<const CandidateItem *> fitting;
    std::ranges::copy_if(named, std::back_inserter(fitting), fits);
    if (!fitting.empty())
      named = fitting;
  };
  if (named.size() > 1)
    keep([&](const CandidateItem *item) { return typesOf(lexed, *item) == types; });
  if (named.size() > 1)
    keep([&](const CandidateItem *item) { return typesOf(lexed, *item).size() == spec.parameters.size(); });
  if (named.size() > 1) {
    problems.push_back({"candidate-form", lexed.tokens[named[1]->name].begin,
                        "second definition of the kernel function '" + spec.function + "'; keep one"});
    return nullptr;
  }
  return named.front();
}

void checkPlaces(const LexedText &lexed, const KernelSpec &spec, const CandidateShape &shape,
                 const CandidateItem &kernel, std::vector<CandidateProblem> &problems) {
  const std::string where =
      spec.namespaces.empty() ? "the global namespace" : "namespace " + join(spec.namespaces, "::");
  if (kernel.foreign)
    return; // what is beside it is put into the kernel's namespace with it
  for (const CandidateItem &item : shape.items)
    if (item.foreign)
      problems.push_back({"candidate-form", lexed.tokens[item.first].begin,
                          "a declaration outside the kernel's namespaces; put helpers beside the kernel, in " + where});
}

} // namespace agentic
