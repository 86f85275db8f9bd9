#include "tool/source/dependence/dependence.h"

#include "tool/source/dependence/dependence_query.h"

#include <algorithm>

namespace agentic::moves {
namespace {

constexpr std::size_t kMostPairs = 600; // isl needs some 0.1 ms for each

void noteVariables(const Nest &nest, const std::vector<Reference> &references, Effects &effects) {
  for (const Reference &reference : references) {
    const Variable &variable = nest.variable(reference.variable);
    effects.referenced.insert(reference.variable);
    if (reference.writes)
      effects.written.insert(reference.variable);
    if (!effects.problem.empty())
      continue;
    if (variable.escapes)
      effects.problem = "the address of '" + variable.name + "' is taken";
    else if (variable.isGlobal && !variable.isConstant) // an argument may refer to it, too
      effects.problem = "the global '" + variable.name + "' is used";
  }
}

void collect(const Nest &nest, std::span<const Statement> statements, std::vector<const Loop *> around,
             const Statement *except, Effects &effects) {
  for (const Statement &statement : statements) {
    if (except && except->range.contains(statement.range))
      continue;
    if (effects.problem.empty())
      effects.problem = statement.problem;
    if (effects.problem.empty() && statement.kind == Statement::Kind::Opaque)
      effects.problem = "a statement that is not understood";
    if (statement.declares)
      effects.declared.insert(*statement.declares);
    effects.declared.insert(statement.declaresInside.begin(), statement.declaresInside.end());
    noteVariables(nest, statement.references, effects);
    for (const Access &access : statement.accesses)
      effects.instances.push_back({&access, around});
    if (!statement.loop)
      continue;
    const Loop &loop = *statement.loop;
    if (effects.problem.empty())
      effects.problem = loop.problem;
    effects.declared.insert(loop.variable);
    noteVariables(nest, loop.boundReferences, effects);
    around.push_back(&loop);
    collect(nest, loop.body, around, except, effects);
    around.pop_back();
  }
}

std::string quoted(const Nest &nest, VariableId variable) {
  return "'" + nest.variable(variable).name + "'";
}

/// Returns why two accesses are taken to touch the same memory; empty if they do not.
std::string whyPairDepends(const Nest &nest, const Instance &first, const Instance &second,
                           const std::vector<Relation> &relations) {
  const Access &left = *first.access, &right = *second.access;
  if (!left.base || !right.base)
    return "'" + (left.base ? right : left).text + "' may be memory that is written";
  if (left.base != right.base)
    return nest.mayOverlap(*left.base, *right.base) ? quoted(nest, *left.base) + " and " + quoted(nest, *right.base) +
                                                          " may overlap (AGENTIC_MAY_ALIAS, or a recorded call)"
                                                    : "";
  if (!left.subscript || !right.subscript)
    return "the subscript of '" + (left.subscript ? right : left).text + "' is not known";
  if (!mayTouchSame(nest, first, second, relations))
    return {};
  return left.text == right.text ? "'" + left.text + "' may be the same element in both"
                                 : "'" + left.text + "' and '" + right.text + "' may be the same element";
}

} // namespace

Effects effectsOf(const Nest &nest, std::span<const Statement> statements, const std::vector<const Loop *> &around,
                  const Statement *except) {
  Effects effects;
  collect(nest, statements, around, except, effects);
  return effects;
}

bool mayTouchSame(const Nest &nest, const Instance &first, const Instance &second,
                  const std::vector<Relation> &relations) {
  return DependenceQuery(nest, first, second, relations).mayTouchSame();
}

std::string whyMemoryDepends(const Nest &nest, const Effects &first, const Effects &second,
                             const std::vector<Relation> &relations) {
  const auto isPrivate = [&](std::optional<VariableId> base) {
    return base && (first.declared.contains(*base) || second.declared.contains(*base));
  };
  // Unrolled code repeats itself, so each pair of places is tested only once.
  struct Asked {
    const Instance *first, *second;
  };
  std::vector<Asked> asked;
  const auto isSamePlace = [](const Instance *left, const Instance *right) {
    return left->access->base == right->access->base && left->access->subscript == right->access->subscript &&
           left->loops == right->loops;
  };
  for (const Instance &left : first.instances)
    for (const Instance &right : second.instances) {
      if ((!left.access->writes && !right.access->writes) || isPrivate(left.access->base) ||
          isPrivate(right.access->base))
        continue;
      const bool isKnown = std::ranges::any_of(asked, [&](const Asked &other) {
        return isSamePlace(other.first, &left) && isSamePlace(other.second, &right);
      });
      if (isKnown)
        continue;
      if (asked.size() >= kMostPairs)
        return "there are too many accesses to compare";
      asked.push_back({&left, &right});
      if (std::string reason = whyPairDepends(nest, left, right, relations); !reason.empty())
        return reason;
    }
  return {};
}

std::string sharedVariable(const Nest &nest, const Effects &first, const Effects &second) {
  for (const auto &[writer, user] : {std::pair{&first, &second}, std::pair{&second, &first}})
    for (const VariableId written : writer->written)
      if (user->referenced.contains(written))
        return nest.variable(written).name;
  return {};
}

bool isRepeatable(const Nest &nest, const Statement &statement, const Effects &around) {
  const auto isMutated = [&](VariableId id) { return nest.variable(id).isMutated; };
  if (!statement.declares || statement.sharesDeclaration || !statement.problem.empty() || !statement.value ||
      !statement.value->isPure || isMutated(*statement.declares))
    return false;
  bool isPlain = true;
  forEachExpression(*statement.value, [&](const Expression &inner) {
    isPlain &= inner.kind != Expression::Kind::Call && inner.kind != Expression::Kind::Other &&
               (!inner.variable || !isMutated(*inner.variable));
    return isPlain;
  });
  const auto mayChange = [&](const Access &read) {
    return !read.base || read.writes || around.declared.contains(*read.base) ||
           std::ranges::any_of(around.instances, [&](const Instance &instance) {
             const std::optional<VariableId> base = instance.access->base;
             return instance.access->writes && (!base || base == read.base || nest.mayOverlap(*base, *read.base));
           });
  };
  return isPlain && std::ranges::none_of(statement.accesses, mayChange);
}

} // namespace agentic::moves
