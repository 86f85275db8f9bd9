#include "tool/source/dependence/legality.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/masked_store.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr std::size_t kMostParts = 64;

class MaskedStorePlanner {
public:
  MaskedStorePlanner(const Nest &nest, const Loop &loop) : nest_(nest), loop_(loop) {}

  MaskedBody run() {
    plan_.problem = whyNot();
    return std::move(plan_);
  }

private:
  std::string whyNot() {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (containsLoop(loop_))
      return "there is a loop inside";
    const Expression &bound = loop_.upperValue.plain();
    if (bound.kind == Kind::Variable && nest_.variable(*bound.variable).isConstexpr &&
        !nest_.variable(*bound.variable).isGlobal)
      return "it is part of the blocks of another move";
    if (std::string reason = whyNotBody(loop_.body, false); !reason.empty())
      return reason;
    if (!plan_.isUseful)
      return "no condition in it decides what is stored";
    if (plan_.parts > kMostParts)
      return "it has more than " + std::to_string(kMostParts) + " parts";
    if (std::string reason = hiddenAlias(nest_, loop_); !reason.empty())
      return reason;
    if (std::string reason = whyNotParallel(nest_, loop_); !reason.empty())
      return reason;
    if (std::string reason = whyNotNamed(); !reason.empty())
      return reason;
    findElements();
    return {};
  }

  std::string whyNotBody(const std::vector<Statement> &body, bool isConditional) {
    for (const Statement &statement : body)
      if (std::string reason = whyNotStatement(statement, isConditional); !reason.empty())
        return reason;
    return {};
  }

  std::string whyNotStatement(const Statement &statement, bool isConditional) {
    ++plan_.parts;
    if (!statement.problem.empty())
      return statement.problem;
    if (statement.declares)
      return whyNotDeclaration(statement);
    if (statement.branch)
      return whyNotBranch(*statement.branch);
    if (statement.selection)
      return whyNotSelection(*statement.selection);
    if (!statement.expression || statement.range.isEmpty())
      return "a statement is not understood";
    const Expression &whole = *statement.expression;
    if (whole.kind != Kind::Assign && !isStep(whole))
      return "'" + std::string(nest_.slice(whole.range)) + "' is no assignment";
    if (isConditional) {
      plan_.isUseful |= std::ranges::any_of(statement.accesses, &Access::writes);
      plan_.bits = std::max(plan_.bits, whole.operands[0].bits);
    }
    return {};
  }

  std::string whyNotDeclaration(const Statement &statement) {
    const Variable &variable = nest_.variable(*statement.declares);
    if (variable.kind != Variable::Kind::Scalar || variable.isConstexpr)
      return "'" + variable.name + "' is no plain number";
    if (statement.value && statement.initializer.isEmpty())
      return "the value of '" + variable.name + "' comes from a macro";
    plan_.locals.push_back(*statement.declares);
    return {};
  }

  std::string whyNotCondition(const Expression &condition, const std::string &problem) {
    plan_.masks += 2;
    if (!problem.empty())
      return problem;
    if (condition.range.isEmpty() || !condition.isPure)
      return "the condition '" + std::string(nest_.slice(condition.range)) +
             "' changes something, or is not understood";
    return {};
  }

  std::string whyNotBranch(const Branch &branch) {
    std::string reason = whyNotCondition(branch.condition, branch.problem);
    if (reason.empty())
      reason = whyNotBody(branch.thenBody, true);
    return reason.empty() ? whyNotBody(branch.elseBody, true) : reason;
  }

  std::string whyNotSelection(const Selection &selection) {
    std::string reason = whyNotCondition(selection.value, selection.problem);
    if (reason.empty() && (!selection.value.isInteger || selection.value.bits < 32))
      reason = "'" + std::string(nest_.slice(selection.value.range)) + "' is no integer";
    for (const Selection::Case &one : selection.cases) {
      ++plan_.masks;
      plan_.isUseful |= !one.body.empty(); // compilers make no vectors of a loop with a `switch`
      if (!selection.value.isSigned && std::ranges::any_of(one.values, [](std::int64_t value) { return value < 0; }))
        return "a case of a 'switch' is a large number";
      if (reason.empty())
        reason = whyNotBody(one.body, true);
    }
    return reason;
  }

  /// Returns the arrays that these statements write in any case.
  static std::set<VariableId> writtenIn(const std::vector<Statement> &body) {
    std::set<VariableId> written;
    for (const Statement &statement : body) {
      if (statement.expression)
        for (const Access &access : statement.accesses)
          if (access.writes && access.base)
            written.insert(*access.base);
      if (statement.branch && statement.branch->hasElse)
        written.merge(common(writtenIn(statement.branch->thenBody), writtenIn(statement.branch->elseBody)));
      if (!statement.selection || std::ranges::none_of(statement.selection->cases, &Selection::Case::isDefault))
        continue;
      std::optional<std::set<VariableId>> all;
      for (const Selection::Case &one : statement.selection->cases)
        all = all ? common(*all, writtenIn(one.body)) : writtenIn(one.body);
      written.merge(*all);
    }
    return written;
  }
  static std::set<VariableId> common(const std::set<VariableId> &left, const std::set<VariableId> &right) {
    std::set<VariableId> both;
    std::ranges::set_intersection(left, right, std::inserter(both, both.end()));
    return both;
  }

  /// What every iteration writes is there, and no other thread may touch it.
  void findElements() {
    for (const VariableId array : writtenIn(loop_.body)) {
      MaskedBody::Element element;
      const Access *first = nullptr;
      bool isOne = true;
      for (const Statement &statement : loop_.body)
        for (const Access &access : statement.accesses) {
          if (access.base != array)
            continue;
          first = first ? first : &access;
          isOne &= access.subscript && access.subscript == first->subscript && !access.range.isEmpty() &&
                   !mentionsLocal(access.range);
          element.uses.push_back(access.range);
        }
      noteType(array, element);
      if (isOne && !element.type.empty())
        plan_.elements.emplace(array, std::move(element));
    }
  }

  /// The type is that of the places where it is written.
  void noteType(VariableId array, MaskedBody::Element &element) const {
    forEachInside(loop_.body, [&](const Statement &statement) {
      const Expression *target = statement.expression ? &statement.expression->operands[0] : nullptr;
      if (target && target->kind == Kind::Element && target->isArithmetic() &&
          std::ranges::any_of(statement.accesses, [&](const Access &access) {
            return access.writes && access.base == array && access.range == target->range;
          }))
        element.type = target->type;
    });
  }

  bool mentionsLocal(Range range) const {
    return std::ranges::any_of(
        plan_.locals, [&](VariableId local) { return mentionsName(nest_.slice(range), nest_.variable(local).name); });
  }

  /// Every use of what the body declares is found in the text.
  std::string whyNotNamed() const {
    for (const VariableId local : plan_.locals)
      if (std::vector<Edit> edits;
          !rename(nest_, loop_.body, bodyOf(nest_, loop_), local, nest_.variable(local).name, edits))
        return "a macro names '" + nest_.variable(local).name + "', or another variable has its name";
    return {};
  }

  const Nest &nest_;
  const Loop &loop_;
  MaskedBody plan_;
};

} // namespace

MaskedBody planMaskedStore(const Nest &nest, const Loop &loop) {
  return MaskedStorePlanner(nest, loop).run();
}

} // namespace agentic::moves
