#include "tool/source/loops/reduction.h"

#include "tool/source/loops/writer.h"
#include "tool/source/loops/zero_sign.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;
using Operation = Update::Operation;

bool isOrder(Operation operation) {
  return operation == Operation::Min || operation == Operation::Max;
}

/// `s = x > s ? x : s` takes x if the comparison holds. The reverse, `s = s > x ? s : x`, takes a NaN, and the search
/// for the largest starts again after it.
bool keepsOnFalse(const Update &update, const Statement &statement) {
  if (statement.branch)
    return true;
  const Expression &value = statement.expression->operands.at(1).plain();
  const auto isTarget = [&](const Expression &part) { return part.plain().variable == update.target->variable; };
  if (value.kind == Kind::Conditional)
    return !isTarget(value.operands[1]);
  return !value.op.starts_with("std::m") || isTarget(value.operands[0]); // std::max(s, x) is s < x ? x : s
}

/// Returns whether a value that equals the accumulated one takes its place: `if (x <= s) s = x`. Zeros of both signs
/// are equal, so that the last one stays, and not the first.
bool replacesEqual(const Statement &statement) {
  const Expression *condition = statement.branch ? &statement.branch->condition.plain() : nullptr;
  if (!statement.branch && statement.expression && statement.expression->operands.size() > 1)
    if (const Expression &value = statement.expression->operands[1].plain(); value.kind == Kind::Conditional)
      condition = &value.operands[0].plain();
  return condition && condition->op.ends_with('=');
}

/// Returns the callee of fmax and the like, which prefer numbers to NaN. A sum may add a call, too; it is not meant.
std::string numberFunction(const Statement &statement, Operation operation) {
  if (!isOrder(operation) || statement.branch || !statement.expression || statement.expression->operands.size() < 2)
    return {};
  const Expression &value = statement.expression->operands[1].plain();
  return value.kind == Kind::Call && !value.op.starts_with("std::m") ? value.op : "";
}

/// Returns whether every value of `from` is a value of `to`, so that comparing and assigning lose nothing.
bool embeds(const Expression &from, const Expression &to) {
  if (from.type == to.type)
    return true;
  if (from.isInteger && to.isInteger)
    return from.bits < to.bits && (!from.isSigned || to.isSigned);
  return from.isFloating && to.isFloating && from.bits < to.bits;
}

class Collector {
public:
  Collector(const Nest &nest, const Loop &loop, bool mayReassociate, bool keepsSpecialValues)
      : nest_(nest), loop_(loop), mayReassociate_(mayReassociate), keepsSpecialValues_(keepsSpecialValues) {}

  Reductions run() {
    if (!loop_.problem.empty())
      return failed(loop_.problem);
    forEachStatement(loop_.body, [&](const Statement &statement) { look(statement); });
    if (!problem_.empty())
      return failed(problem_);
    addUpdates(loop_.body);
    Reductions result;
    for (const auto &[variable, offsets] : uses_) {
      if (!written_.contains(variable) || declared_.contains(variable))
        continue;
      if (std::string reason = whyNot(variable, offsets); !reason.empty())
        return failed(std::move(reason));
      result.accumulators.push_back(found_[variable]);
    }
    if (result.accumulators.empty())
      return failed("no scalar is accumulated in it");
    return result;
  }

private:
  static Reductions failed(std::string problem) { return {{}, std::move(problem)}; }

  void look(const Statement &statement) {
    const auto need = [&](const std::string &problem) {
      if (problem_.empty())
        problem_ = problem;
    };
    need(statement.problem);
    if (statement.declares)
      declared_.insert(*statement.declares);
    if (statement.loop) {
      need(statement.loop->problem);
      declared_.insert(statement.loop->variable);
      addUses(statement.loop->boundReferences);
    }
    addUses(statement.references);
    writesMemory_ |= std::ranges::any_of(statement.accesses, &Access::writes);
  }

  void addUses(const std::vector<Reference> &references) {
    for (const Reference &reference : references) {
      uses_[reference.variable].insert(reference.offset);
      if (reference.writes)
        written_.insert(reference.variable);
    }
  }

  void addUpdates(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements) {
      if (statement.loop)
        addUpdates(statement.loop->body);
      const auto update = updateOf(statement);
      if (update && update->target->kind == Kind::Variable) {
        addUpdate(statement, *update);
      } else if (statement.branch) {
        addUpdates(statement.branch->thenBody);
        addUpdates(statement.branch->elseBody);
      }
    }
  }

  void addUpdate(const Statement &statement, const Update &update) {
    const VariableId variable = *update.target->variable;
    Accumulator &accumulator = found_[variable];
    if (accumulator.parts.empty()) {
      accumulator.variable = variable;
      accumulator.operation = update.operation;
      accumulator.function = numberFunction(statement, update.operation);
    }
    accumulator.parts.push_back({&statement, update});
    for (const Reference &reference : statement.references)
      if (reference.variable == variable)
        covered_[variable].insert(reference.offset);
  }

  /// Returns why the copies of this scalar would give another result than the scalar. Completes its accumulator.
  std::string whyNot(VariableId id, const std::set<std::size_t> &offsets) {
    const Variable &variable = nest_.variable(id);
    const std::string name = "'" + variable.name + "'";
    const auto found = found_.find(id);
    if (found == found_.end() || covered_[id] != offsets)
      return name + " carries a value from one iteration of '" + loop_.name + "' to the next" +
             (found == found_.end() ? "" : ", and is used for more than to accumulate it");
    if (variable.kind != Variable::Kind::Scalar || variable.escapes || variable.isGlobal)
      return name + " may be changed or read elsewhere while the loop runs";
    Accumulator &accumulator = found->second;
    const Expression &target = *accumulator.parts.front().update.target;
    if (target.type == "bool" || (target.isInteger && target.bits > 64))
      return name + " is a " + target.type;
    accumulator.type = variable.type;
    accumulator.isInteger = target.isInteger;
    accumulator.isMin = accumulator.operation == Operation::Min;
    accumulator.isMax = accumulator.operation == Operation::Max;
    const bool isOrdered = isOrder(accumulator.operation);
    accumulator.laneType = target.isInteger && !isOrdered && (target.isSigned || target.bits < 32)
                               ? wrappingType(target.bits)
                               : variable.type;
    for (const Accumulator::Part &part : accumulator.parts) {
      if (part.update.value && !isOwnText(*part.update.value, *part.statement, id))
        return name + " is accumulated by a macro";
      if (part.update.operation != accumulator.operation ||
          numberFunction(*part.statement, part.update.operation) != accumulator.function)
        return name + " is accumulated in two ways";
      if (isOrdered && !embeds(part.update.value->plain(), target))
        return name + " is compared with values of another type";
      if (isOrdered && target.isFloating && !keepsOnFalse(part.update, *part.statement))
        return name + " starts again behind a NaN, which depends on the order";
    }
    accumulator.keepsZeros = keepsSpecialValues_;
    const bool takesFirst = std::ranges::none_of(
        accumulator.parts, [](const Accumulator::Part &part) { return replacesEqual(*part.statement); });
    accumulator.isOrderFree = isOrdered && accumulator.function.empty() && takesFirst && hasOneZero(accumulator);
    const bool dependsOnOrder =
        target.isFloating && !accumulator.isOrderFree && (!mayReassociate_ || (isOrdered && keepsSpecialValues_));
    accumulator.isZeroOrdered = dependsOnOrder && isOrdered && !writesMemory_;
    if (dependsOnOrder && !accumulator.isZeroOrdered)
      return name +
             (isOrdered ? " may end as 0 or as -0, which depends on the order, and the loop writes memory"
                        : " is accumulated in floating point, which depends on the order") +
             "; a contract with AGENTIC_TOLERANCE or AGENTIC_FP(reassociate) would permit another one";
    return {};
  }

  /// Returns whether a least or largest value that is 0 has one sign in every order: one zero replaces no other.
  bool hasOneZero(const Accumulator &accumulator) const {
    const auto isPlusZero = [&](const Accumulator::Part &part) { return isNeverMinusZero(nest_, *part.update.value); };
    return std::ranges::all_of(accumulator.parts, isPlusZero) || startsAtZero(accumulator);
  }
  /// Returns whether it begins at a 0, or beyond, and everything that changes it is the search: no other 0 gets in.
  bool startsAtZero(const Accumulator &accumulator) const {
    const Variable &variable = nest_.variable(accumulator.variable);
    const Expression *start = initialValue(nest_, accumulator.variable);
    if (!start || static_cast<std::size_t>(variable.changes) != accumulator.parts.size())
      return false;
    const Expression &plain = start->plain();
    const bool isNegative = plain.kind == Kind::Unary && plain.op == "-";
    const Expression &literal = isNegative ? plain.operands.front().plain() : plain;
    const std::string text(nest_.slice(literal.range));
    char *end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return literal.kind == Kind::Literal && end != text.c_str() &&
           (number == 0 || isNegative == accumulator.isMin); // 0 or beyond
  }

  const Nest &nest_;
  const Loop &loop_;
  bool mayReassociate_, keepsSpecialValues_, writesMemory_ = false;
  std::string problem_;
  std::set<VariableId> declared_, written_;
  std::map<VariableId, std::set<std::size_t>> uses_, covered_;
  std::map<VariableId, Accumulator> found_;
};

/// Returns the value as an operand of a comparison or of a sum.
std::string operandText(const Nest &nest, const Expression &value) {
  const std::string text(nest.slice(value.range));
  const bool isClosed = value.kind == Kind::Literal || value.kind == Kind::Variable || value.kind == Kind::Element ||
                        value.kind == Kind::Field || value.kind == Kind::Call || value.kind == Kind::Unary ||
                        value.kind == Kind::Cast;
  return isClosed ? text : "(" + text + ")";
}

} // namespace

Reductions reductionsOf(const Nest &nest, const Loop &loop, bool mayReassociate, bool keepsSpecialValues) {
  return Collector(nest, loop, mayReassociate, keepsSpecialValues).run();
}

std::string wrappingType(unsigned bits) {
  return bits > 32 ? "unsigned long long" : "unsigned";
}

bool isOwnText(const Expression &value, const Statement &statement, VariableId target) {
  const auto isInside = [&](const Reference &reference) {
    return reference.variable == target && value.range.begin <= reference.offset && reference.offset < value.range.end;
  };
  return !value.range.isEmpty() && statement.range.contains(value.range) &&
         std::ranges::none_of(statement.references, isInside);
}

std::string assignedText(const Nest &nest, const Expression &value) {
  const std::string text(nest.slice(value.range));
  return value.kind == Kind::Binary && value.op == "," ? "(" + text + ")" : text;
}

std::string operatorOf(const Accumulator &accumulator) {
  switch (accumulator.operation) {
  case Operation::Multiply:
    return "*";
  case Operation::And:
    return "&";
  case Operation::Or:
    return "|";
  case Operation::Xor:
    return "^";
  default:
    return "+";
  }
}

std::string updateText(const Nest &nest, const Accumulator &accumulator, const Accumulator::Part &part,
                       const std::string &copy) {
  const Update &update = part.update;
  if (isOrder(accumulator.operation) && accumulator.function.empty()) {
    const std::string value = operandText(nest, update.value->plain());
    return copy + " = " + value + (accumulator.isMax ? " > " : " < ") + copy + " ? " + value + " : " + copy + ";";
  }
  if (accumulator.isInteger && !isOrder(accumulator.operation)) {
    const std::string assign = " " + (update.isNegated ? "-" : operatorOf(accumulator)) + "= ";
    if (!update.value)
      return copy + assign + "1;";
    // The sum of a copy and a wider signed value might overflow although the original's does not.
    const bool isCast = accumulator.laneType != accumulator.type || update.value->plain().bits > update.target->bits;
    const std::string value(nest.slice(update.value->range));
    return copy + assign +
           (isCast ? "static_cast<" + accumulator.laneType + ">(" + value + ")" : assignedText(nest, *update.value)) +
           ";";
  }
  std::vector<Edit> edits;
  for (const Reference &reference : part.statement->references)
    if (reference.variable == accumulator.variable)
      edits.push_back({{reference.offset, reference.offset + reference.length}, copy});
  return applyEdits(nest.text, part.statement->range, edits);
}

std::string startValue(const Accumulator &accumulator, const std::string &name) {
  switch (accumulator.operation) {
  case Operation::Min:
  case Operation::Max:
    return name;
  case Operation::Multiply:
    return "1";
  case Operation::And:
    return "static_cast<" + accumulator.laneType + ">(-1)";
  default:
    return accumulator.keepsZeros && !accumulator.isInteger ? "-0.0f" : "";
  }
}

std::string combineCopies(const Accumulator &accumulator, const std::string &into, const std::string &copy) {
  if (!accumulator.function.empty())
    return into + " = " + accumulator.function + "(" + into + ", " + copy + ");";
  if (isOrder(accumulator.operation))
    return into + " = " + copy + (accumulator.isMax ? " > " : " < ") + into + " ? " + copy + " : " + into + ";";
  return into + " " + operatorOf(accumulator) + "= " + copy + ";";
}

std::string combineText(const Accumulator &accumulator, const std::string &name, const std::string &copy) {
  if (accumulator.laneType == accumulator.type)
    return combineCopies(accumulator, name, copy);
  return name + " = static_cast<" + accumulator.type + ">(static_cast<" + accumulator.laneType + ">(" + name + ") " +
         operatorOf(accumulator) + " " + copy + ");";
}

} // namespace agentic::moves
