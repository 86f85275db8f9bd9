#include "tool/source/moves/loop_effects.h"

#include <algorithm>
#include <cctype>

namespace agentic::moves {
namespace {

void addReferences(const std::vector<Reference> &references, LoopEffects &effects) {
  for (const Reference &reference : references)
    if (reference.writes)
      effects.assigned.insert(reference.variable);
}

void addInnerLoop(const Loop &loop, LoopEffects &effects) {
  effects.declared.insert(loop.variable);
  if (loop.upper.isEmpty() || !loop.upperValue.isPure || !loop.lowerValue.isPure)
    effects.problem = loop.problem;
  for (const Access &access : loop.boundAccesses)
    effects.accesses.push_back(&access);
}

std::string whyVariableChanges(const Nest &nest, VariableId id, const LoopEffects &effects) {
  const Variable &variable = nest.variables[static_cast<std::size_t>(id)];
  if (effects.declared.contains(id))
    return "'" + variable.name + "' is declared in the loop";
  if (effects.assigned.contains(id))
    return "the loop changes '" + variable.name + "'";
  if (variable.escapes)
    return "the address of '" + variable.name + "' is taken";
  return variable.isGlobal && !variable.isConstant ? "'" + variable.name + "' is global" : "";
}

} // namespace

bool mayBeSameArray(const Nest &nest, VariableId left, VariableId right) {
  const auto isShared = [&](VariableId id) { // an argument may lead there, too
    const Variable &variable = nest.variables[static_cast<std::size_t>(id)];
    return variable.isGlobal && !variable.isConstant;
  };
  return left < 0 || right < 0 || left == right || isShared(left) || isShared(right) || nest.mayOverlap(left, right);
}

LoopEffects effectsOf(const Loop &loop) {
  LoopEffects effects;
  effects.declared.insert(loop.variable);
  forEachStatement(loop.body, [&](const Statement &statement) {
    if (!statement.problem.empty() && effects.problem.empty())
      effects.problem = statement.problem;
    if (statement.loop)
      addInnerLoop(*statement.loop, effects);
    if (statement.declares >= 0)
      effects.declared.insert(statement.declares);
    addReferences(statement.references, effects);
    for (const Access &access : statement.accesses)
      effects.accesses.push_back(&access);
  });
  return effects;
}

std::string whyNotInvariant(const Nest &nest, const Expression &value, const std::vector<const Access *> &accesses,
                            const LoopEffects &effects) {
  if (!effects.problem.empty())
    return effects.problem;
  if (!value.isPure || value.range.isEmpty())
    return "an expression is not understood";
  std::string reason;
  forEachExpression(value, [&](const Expression &inner) {
    if (inner.kind == Expression::Kind::Variable && reason.empty())
      reason = whyVariableChanges(nest, inner.variable, effects);
    return true;
  });
  for (const Access *read : accesses) {
    const auto isWrite = [&](const Access *other) {
      return other->writes && mayBeSameArray(nest, read->base, other->base);
    };
    if (reason.empty() && value.range.contains(read->range) && std::ranges::any_of(effects.accesses, isWrite))
      reason = "the loop may write '" + read->text + "'";
  }
  return reason;
}

namespace {

/// Calls `visit` with the offset of every character of code between `begin` and `end` that is no white space; of a
/// literal only with its last.
template <class Visit>
void forEachCodeCharacter(std::string_view text, std::size_t begin, std::size_t end, Visit visit) {
  for (std::size_t at = begin; at < end; ++at) {
    const char c = text[at];
    const bool isSeparator = c == '\'' && at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), end);
    } else if (text.substr(at).starts_with("/*")) {
      at = std::min(text.find("*/", at + 2), end) + 1;
    } else if (c == '"' || (c == '\'' && !isSeparator)) {
      for (++at; at < end && text[at] != c; ++at)
        at += text[at] == '\\';
      visit(std::min(at, end - 1));
    } else if (c != ' ' && c != '\t' && c != '\n') {
      visit(at);
    }
  }
}

} // namespace

std::size_t declarationBegin(std::string_view text, std::size_t bodyBegin) {
  std::size_t begin = 0, lineEnd = 0;
  int depth = 0;
  forEachCodeCharacter(text, 0, bodyBegin, [&](std::size_t at) {
    const char c = text[at];
    if (at < lineEnd)
      return; // in a directive
    if (c == '#') {
      lineEnd = text.find('\n', at);
      while (lineEnd != std::string_view::npos && text[lineEnd - 1] == '\\')
        lineEnd = text.find('\n', lineEnd + 1);
      begin = lineEnd = std::min(lineEnd, bodyBegin);
    }
    depth += c == '{' || c == '(';
    depth -= c == '}' || c == ')';
    if (depth == 0 && (c == ';' || c == '}'))
      begin = at + 1;
  });
  return begin;
}

bool isInBlock(std::string_view text, std::size_t bodyBegin, std::size_t offset) {
  char last = 0;
  forEachCodeCharacter(text, bodyBegin, offset, [&](std::size_t at) { last = text[at]; });
  return last == '{' || last == '}' || last == ';';
}

} // namespace agentic::moves
