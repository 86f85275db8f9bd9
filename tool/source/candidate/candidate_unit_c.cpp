#include "tool/source/candidate/candidate_unit_c.h"

#include "tool/base/text.h"
#include "tool/source/candidate/candidate_closure.h"

#include <algorithm>
#include <set>

namespace agentic {
namespace {

/// Returns the token after leading `[[…]]`, which must stay in front of the specifiers.
std::size_t afterAttributes(const LexedText &lexed, std::size_t first) {
  while (lexed.is(first, "[") && lexed.is(first + 1, "["))
    first = lexed.closing(first) + 1;
  return first;
}

/// Returns the token that ends a declaration's specifiers and declarator: "(", "=", "[", "{" or ";".
std::size_t endOfSpecifiers(const LexedText &lexed, std::size_t first, std::size_t end) {
  for (std::size_t i = afterAttributes(lexed, first); i < end; ++i) {
    if (isOneOf(lexed.spelling(i), {"__attribute__", "__attribute", "_Alignas", "alignas", "__declspec", "_Atomic"}) &&
        lexed.is(i + 1, "(")) {
      i = lexed.closing(i + 1);
      continue;
    }
    if (isOneOf(lexed.spelling(i), {"(", "=", "[", "{", ";"}))
      return i;
  }
  return end;
}

bool hasSpecifier(const LexedText &lexed, std::size_t first, std::size_t end, std::string_view specifier) {
  const std::size_t stop = endOfSpecifiers(lexed, first, end);
  for (std::size_t i = first; i < stop; ++i)
    if (lexed.is(i, specifier))
      return true;
  return false;
}

/// Returns a copy's text with internal linkage.
std::string internalText(const std::string &text) {
  const LexedText lexed = lexText(text);
  if (lexed.tokens.empty() || hasSpecifier(lexed, 0, lexed.tokens.size(), "static"))
    return text;
  const std::size_t first = lexed.tokens[afterAttributes(lexed, 0)].begin;
  std::string rest = text.substr(first);
  const std::size_t stop = endOfSpecifiers(lexed, 0, lexed.tokens.size());
  for (std::size_t i = 0; i < stop; ++i)
    if (lexed.is(i, "extern"))
      rest = text.substr(first, lexed.tokens[i].begin - first) + text.substr(lexed.tokens[i + 1].begin);
  return text.substr(0, first) + "static " + rest;
}

bool isStatic(const Fragment &fragment) {
  const LexedText lexed = lexText(fragment.text);
  return hasSpecifier(lexed, 0, lexed.tokens.size(), "static");
}

bool isMacroOfC(const Fragment &fragment) {
  return fragment.kind == Fragment::Kind::Macro || fragment.kind == Fragment::Kind::Directive;
}

/// Returns whether SOURCE defines it, and so the unit has a copy: else its prototype stays as it is.
bool isCopied(const Fragment &fragment) {
  return !fragment.inSignature && !isMacroOfC(fragment);
}

bool hasLinkage(const Fragment &fragment) {
  return fragment.kind == Fragment::Kind::Function || fragment.kind == Fragment::Kind::Constant;
}

/// Puts another name behind a macro of the old one.
void putBehindMacro(const std::string &name, const std::string &prefix, UnitText &unit) {
  unit.freshLine();
  unit.add("#undef " + name + "\n#define " + name + " " + prefix + "_" + name + "\n");
}

} // namespace

void addClosureC(const KernelSpec &spec, const std::string &inner, UnitText &unit) {
  std::set<std::string> renamed;
  for (const Fragment &fragment : spec.closure)
    if (isCopied(fragment) && hasLinkage(fragment) && !fragment.name.empty() && !isStatic(fragment) &&
        renamed.insert(fragment.name).second)
      putBehindMacro(fragment.name, inner, unit);
  for (const Fragment &fragment : spec.closure) {
    if (fragment.kind == Fragment::Kind::Directive)
      continue;
    unit.freshLine();
    if (fragment.kind == Fragment::Kind::Macro)
      unit.add("#undef " + fragment.name + "\n" + fragment.text);
    else
      unit.add(isCopied(fragment) && hasLinkage(fragment) ? internalText(copyOf(fragment)) : copyOf(fragment));
  }
  unit.freshLine();
}

void hideCopiesC(const KernelSpec &spec, const CandidateShape &shape, const std::string &inner, UnitText &unit) {
  const std::set<std::string> copied = copiedNames(spec);
  std::set<std::string> hidden;
  for (const CandidateItem &item : shape.items)
    for (const std::string &name : item.names)
      if (copied.contains(name) && hidden.insert(name).second)
        putBehindMacro(name, inner + "_own", unit);
}

void makeInternalC(const LexedText &lexed, const CandidateShape &shape, const CandidateItem &kernel, EditList &edits) {
  for (const CandidateItem &item : shape.items) {
    const std::size_t end = item.last + 1, first = afterAttributes(lexed, item.first);
    if (item.first == kernel.first || first >= end || hasSpecifier(lexed, item.first, end, "static") ||
        hasSpecifier(lexed, item.first, end, "extern") || hasSpecifier(lexed, item.first, end, "typedef"))
      continue;
    bool isObject = item.kind == CandidateItem::Kind::Function || item.kind == CandidateItem::Kind::Prototype;
    // `const float kTable[4] = { … };`; a type alone has no initialiser behind it.
    for (std::size_t i = first; i < end && !isObject; ++i) {
      isObject = lexed.is(i, "=");
      if (lexed.is(i, "(") || lexed.is(i, "[") || lexed.is(i, "{"))
        i = lexed.closing(i);
    }
    if (isObject)
      edits.insert(lexed.tokens[first].begin, "static ");
  }
}

} // namespace agentic
