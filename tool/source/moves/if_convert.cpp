// if-convert(i): branches in a loop that only choose values become selects, so that the loop can use vectors.
//
//   for (i) {                                 for (i) {
//     if (x[i] > limit)                         const float sumNext = sum + scale;
//       sum += scale;                     →     sum = (x[i] > limit) ? sumNext : sum;
//     if (x[i] > best)                          best = (x[i] > best) ? x[i] : best;
//       best = x[i];                          }
//   }
//
// Legal if everything that the branch assigns is a local number which has a value anyway, and the assigned values are
// pure, cannot trap and read no memory that the condition did not read already. Selects store what the branch would
// have stored, or the old value: results are the same bit for bit. Operations that may overflow stay conditional.
#include "tool/source/loops/assignment.h"
#include "tool/source/moves/mask_exit.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

/// Collects the reads of a condition that happen whatever its value is.
void collectReads(const Nest &nest, const Expression &condition, std::set<std::string> &reads) {
  forEachExpression(condition, [&](const Expression &expression) {
    if (expression.kind == Kind::Element)
      reads.emplace(nest.slice(expression.range));
    const bool isLazy = expression.kind == Kind::Conditional ||
                        (expression.kind == Kind::Binary && (expression.op == "&&" || expression.op == "||"));
    if (isLazy)
      collectReads(nest, expression.operands[0], reads);
    return !isLazy;
  });
}

/// Returns the variables that have a value wherever they can be named.
std::set<VariableId> initialisedIn(const Nest &nest) {
  std::set<VariableId> found;
  forEachStatement(nest.statements, [&](const Statement &statement) {
    if (statement.declares && (statement.value || statement.isZeroed))
      found.insert(*statement.declares);
    if (statement.loop)
      found.insert(statement.loop->variable);
  });
  for (std::size_t i = 0; i < nest.variables.size(); ++i)
    if (nest.variables[i].isParameter || nest.variables[i].isGlobal)
      found.insert(static_cast<VariableId>(i));
  return found;
}

class BranchCheck {
public:
  explicit BranchCheck(const Nest &nest) : nest_(nest), initialised_(initialisedIn(nest)) {}

  std::string why(const Statement &statement) {
    if (!statement.problem.empty())
      return statement.problem;
    reads_.clear();
    return branch(*statement.branch);
  }

private:
  std::string branch(const Branch &branch) {
    if (!branch.condition.isPure || branch.condition.range.isEmpty())
      return "the condition '" + slice(branch.condition) + "' has a side effect, or comes from a macro";
    if (hasComma(branch.condition))
      return "the condition '" + slice(branch.condition) + "' is two expressions";
    if (branch.thenBody.empty())
      return "a branch is empty";
    collectReads(nest_, branch.condition, reads_);
    const bool hasBoth = isOneTarget(branch);
    std::string reason = statements(branch.thenBody, hasBoth);
    return reason.empty() ? statements(branch.elseBody, hasBoth) : reason;
  }

  static bool hasComma(const Expression &expression) {
    bool found = false;
    forEachExpression(expression, [&](const Expression &inner) {
      found |= inner.kind == Kind::Binary && inner.op == ",";
      return !found;
    });
    return found;
  }

  /// Returns whether both sides assign the same variable: it need not have a value before.
  static bool isOneTarget(const Branch &branch) {
    const auto targetOf = [](const std::vector<Statement> &body) {
      const bool isOne = body.size() == 1 && body[0].expression && body[0].expression->kind == Kind::Assign &&
                         body[0].expression->op == "=";
      return isOne ? body[0].expression->operands[0].variable : std::nullopt;
    };
    return targetOf(branch.thenBody) && targetOf(branch.thenBody) == targetOf(branch.elseBody);
  }

  std::string statements(const std::vector<Statement> &body, bool hasBoth) {
    for (const Statement &statement : body) {
      std::string reason = statement.branch
                               ? (statement.problem.empty() ? branch(*statement.branch) : statement.problem)
                           : statement.expression && statement.problem.empty() ? change(*statement.expression, hasBoth)
                                                                               : "a branch does more than assign";
      if (!reason.empty())
        return reason;
    }
    return {};
  }

  std::string change(const Expression &expression, bool hasBoth) {
    const bool steps = isStep(expression);
    if (!steps && expression.kind != Kind::Assign)
      return "a branch does more than assign";
    if (!isSpelledOut(expression))
      return "'" + slice(expression) + "' comes from a macro";
    const Expression &target = expression.operands[0];
    if (target.kind != Kind::Variable)
      return "'" + slice(target) + "' is memory, which would be written without the condition";
    const Variable &variable = nest_.variable(*target.variable);
    if (variable.kind != Variable::Kind::Scalar || variable.isGlobal || variable.escapes)
      return "'" + variable.name + "' is no plain local number";
    if (!hasBoth && !initialised_.contains(*target.variable))
      return "'" + variable.name + "' may have no value yet";
    if (steps)
      return {};
    const Expression &value = expression.operands[1];
    return target.range.end > value.range.begin ? "'" + slice(expression) + "' comes from a macro" : whyNotLazy(value);
  }

  /// Unlike whyNotSpeculative, it permits overflow: a select evaluates only one side.
  std::string whyNotLazy(const Expression &value) const {
    std::string reason = hasComma(value) ? "'" + slice(value) + "' is two expressions" : "";
    forEachExpression(value, [&](const Expression &expression) {
      const std::string text = slice(expression);
      const bool isRead = expression.kind == Kind::Element || expression.kind == Kind::Field;
      if (isRead && expression.isPure && reads_.contains(text))
        return false;
      if (isRead)
        reason = "'" + text + "' is read only where the condition holds";
      else if (!expression.isPure || expression.kind == Kind::Other || expression.range.isEmpty())
        reason = "'" + text + "' has a side effect, or is not understood";
      else if (expression.kind == Kind::Binary && (expression.op == "/" || expression.op == "%") &&
               expression.isInteger && expression.operands[1].value.value_or(0) <= 0)
        reason = "the integer division '" + text + "' could trap";
      else if (expression.kind == Kind::Call)
        reason = whyNotSpeculative(nest_, expression);
      return reason.empty();
    });
    return reason;
  }

  std::string slice(const Expression &expression) const { return std::string(nest_.slice(expression.range)); }

  const Nest &nest_;
  std::set<VariableId> initialised_;
  std::set<std::string> reads_;
};

class SelectWriter {
public:
  SelectWriter(const Nest &nest, FreshNames &fresh) : nest_(nest), fresh_(fresh), initialised_(initialisedIn(nest)) {}

  std::string run(const Branch &branch) {
    lower(branch, "");
    return std::move(text_);
  }
  int lines() const { return lines_; }

private:
  void line(const std::string &text) {
    text_ += text + "\n";
    ++lines_;
  }
  std::string slice(const Expression &expression) const { return std::string(nest_.slice(expression.range)); }
  const Variable &variable(const Expression &target) const { return nest_.variable(*target.variable); }

  void lower(const Branch &branch, const std::string &guard) {
    const std::string condition = "(" + slice(branch.condition) + ")";
    const auto isOne = [](const std::vector<Statement> &body) { return body.size() == 1 && body[0].expression; };
    if (guard.empty() && isOne(branch.thenBody) && !branch.hasElse)
      return change(*branch.thenBody[0].expression, condition, nullptr);
    if (guard.empty() && isOne(branch.thenBody) && isOne(branch.elseBody)) {
      const Expression &left = *branch.thenBody[0].expression, &right = *branch.elseBody[0].expression;
      if (left.kind == Kind::Assign && right.kind == Kind::Assign &&
          left.operands[0].variable == right.operands[0].variable)
        return change(left, condition, &right);
    }
    const std::string taken = fresh_.make("isTaken");
    line("const bool " + taken + " = " + (guard.empty() ? slice(branch.condition) : guard + " && " + condition) + ";");
    statements(branch.thenBody, taken);
    if (branch.elseBody.empty())
      return;
    const std::string other = fresh_.make("isOther");
    line("const bool " + other + " = " + (guard.empty() ? "!" : guard + " && !") + taken + ";");
    statements(branch.elseBody, other);
  }

  void statements(const std::vector<Statement> &body, const std::string &condition) {
    for (const Statement &statement : body)
      if (statement.branch)
        lower(*statement.branch, condition);
      else
        change(*statement.expression, condition, nullptr);
  }

  void change(const Expression &expression, const std::string &condition, const Expression *otherwise) {
    const Variable &target = variable(expression.operands[0]);
    if (!otherwise && writeSum(expression, condition))
      return;
    const std::string first = value(expression);
    const std::string second = otherwise ? value(*otherwise) : target.name;
    line(target.name + " = " + condition + " ? " + first + " : " + second + ";");
  }

  /// Writes `n += c ? x : 0`: a sum that other moves recognise. Only for integers: -0.0 + 0 is 0.
  bool writeSum(const Expression &expression, const std::string &condition) {
    Statement statement;
    statement.expression = expression;
    const auto update = updateOf(statement);
    const Expression &target = expression.operands[0];
    const bool isSum = update && update->operation == Update::Operation::Add && target.isInteger && target.bits >= 32 &&
                       (!update->value || update->value->plain().type == target.type);
    if (isSum)
      line(variable(target).name + (update->isNegated ? " -= " : " += ") + condition + " ? " +
           (update->value ? slice(*update->value) : "1") + " : 0;");
    return isSum;
  }

  /// Puts floating-point arithmetic in front of the select if that is legal: compilers that respect the exception flags
  /// do not move it out of a condition themselves.
  std::string value(const Expression &expression) {
    const Variable &target = variable(expression.operands[0]);
    if (expression.kind == Kind::Unary) {
      const std::string text = target.name + (expression.op.ends_with("++") ? " + 1" : " - 1");
      return expression.operands[0].bits >= 32 ? text : "static_cast<" + target.type + ">(" + text + ")";
    }
    const std::string text = assignedValue(nest_, expression);
    const Expression &plain = expression.operands[1].plain();
    const bool isAtom = expression.op == "=" && (plain.kind == Kind::Variable || plain.kind == Kind::Literal);
    if (isAtom || !target.isFloating || !mayComputeAlways(expression.operands[1]))
      return text;
    const std::string next = fresh_.make(target.name + "Next");
    line("const " + target.type + " " + next + " = " + text + ";");
    return next;
  }

  bool mayComputeAlways(const Expression &value) const {
    bool hasValues = true;
    forEachExpression(value, [&](const Expression &inner) {
      hasValues &= inner.kind != Kind::Variable || initialised_.contains(*inner.variable);
      return hasValues;
    });
    return hasValues && whyNotSpeculative(nest_, value).empty();
  }

  const Nest &nest_;
  FreshNames &fresh_;
  std::set<VariableId> initialised_;
  std::string text_;
  int lines_ = 0;
};

/// Returns the branches directly in the loop that become selects; `why`: the first one that does not, and its reason.
std::vector<const Statement *> convertible(const Nest &nest, const Loop &loop, std::string &why) {
  std::vector<const Statement *> found;
  why = loop.tiedDown;
  if (!why.empty())
    return found;
  BranchCheck check(nest);
  for (const Statement &statement : loop.body) {
    if (!statement.branch)
      continue;
    const std::string reason = check.why(statement);
    if (reason.empty())
      found.push_back(&statement);
    else if (why.empty())
      why = reason;
  }
  return found;
}

bool hasBranch(const Loop &loop) {
  return std::ranges::any_of(loop.body, [](const Statement &statement) { return statement.branch != nullptr; });
}

void offerIfConvert(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    std::string why;
    if (loop->header.end == 0 || containsLoop(*loop) || !hasBranch(*loop))
      continue;
    if (!convertible(context.nest, *loop, why).empty())
      result.offers.push_back({"if-convert", loop->name, {}});
    else
      result.refusals.push_back({"if-convert", loop->name, why});
  }
}

Result<Rewrite> rewriteIfConvert(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  std::string why;
  const auto branches = convertible(context.nest, *loop, why);
  if (branches.empty())
    return illegalStep(step, why.empty() ? "there is no branch directly in the loop '" + step.target + "'" : why);
  const std::size_t first = context.nest.text.find_first_not_of(" \t\n", loop->header.end);
  const bool isInBlock = first != std::string::npos && context.nest.text[first] == '{';
  FreshNames fresh(context.nest.surroundings + "\n" + context.nest.text);
  Rewrite rewrite;
  for (const Statement *statement : branches) {
    SelectWriter writer(context.nest, fresh);
    const std::string text = writer.run(*statement->branch);
    rewrite.edits.push_back({statement->range, isInBlock || writer.lines() == 1 ? text : "{\n" + text + "}"});
  }
  rewrite.why = {"Branches in the loop '" + step.target +
                 "' are selects: they assign local numbers only, and what they "
                 "compute cannot trap and reads nothing new."};
  return rewrite;
}

} // namespace

const Move kIfConvert = {"if-convert", offerIfConvert, nullptr, rewriteIfConvert, MoveRole::Enabler};

} // namespace agentic::moves
