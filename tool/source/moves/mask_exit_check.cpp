#include "tool/source/moves/mask_exit.h"
#include "tool/source/moves/speculation.h"

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

} // namespace

std::string whyNotSpeculative(const Nest &nest, const Expression &expression) {
  return whyNotSpeculative(nest, expression, "in a lane that is done", [&](const Expression &element) {
    return "'" + std::string(nest.slice(element.range)) + "' would be read for lanes that are done";
  });
}

namespace {

class BodyCheck {
public:
  explicit BodyCheck(MaskPlan &plan) : plan_(plan) {}

  void run() {
    const ExitLoop &loop = *plan_.inner->exitLoop;
    if (loop.condition)
      read(*loop.condition);
    statements(loop.body, 0);
    if (loop.step)
      change(*loop.step);
  }

private:
  void fail(std::string problem) {
    if (plan_.problem.empty())
      plan_.problem = std::move(problem);
  }

  void read(const Expression &expression) {
    if (std::string reason = whyNotSpeculative(plan_.nest, expression); !reason.empty())
      return fail(std::move(reason));
    forEachExpression(expression, [&](const Expression &inner) {
      if (inner.kind == Kind::Variable)
        plan_.usedInside.insert(*inner.variable);
      plan_.isWide |= inner.isFloating && inner.bits > 32;
      return true;
    });
  }

  void statements(const std::vector<Statement> &body, int depth) {
    for (const Statement &statement : body) {
      if (statement.exit == Statement::Exit::Break) {
        if (depth != 1 || &statement != &body.back())
          return fail("a 'break' that is not the last statement of a plain 'if' of the inner loop");
      } else if (statement.branch) {
        read(statement.branch->condition);
        statements(statement.branch->thenBody, depth + 1);
        statements(statement.branch->elseBody, depth + 1);
      } else if (statement.declares) {
        declare(statement);
      } else if (statement.expression && statement.problem.empty()) {
        change(*statement.expression);
      } else {
        return fail(statement.problem.empty() ? "a statement of the inner loop is not understood" : statement.problem);
      }
    }
  }

  void declare(const Statement &statement) {
    const Variable &variable = plan_.variable(*statement.declares);
    if (!statement.problem.empty())
      return fail(statement.problem);
    if (variable.kind != Variable::Kind::Scalar || variable.escapes)
      return fail("'" + variable.name + "' is no plain local number");
    // It needs a value of its own, because a lane that is done would else read an unset one.
    if (!statement.value && !statement.isZeroed)
      return fail("'" + variable.name + "' is declared without a value");
    for (const VariableId own : plan_.own)
      if (plan_.variable(own).name == variable.name)
        return fail("the inner loop declares another '" + variable.name + "'");
    if (variable.name == plan_.variable(plan_.outer.variable).name)
      return fail("the inner loop declares another '" + variable.name + "'");
    if (statement.value)
      read(*statement.value);
    local_.insert(*statement.declares);
  }

  void change(const Expression &expression) {
    if (expression.kind == Kind::Binary && expression.op == ",") {
      change(expression.operands[0]);
      return change(expression.operands[1]);
    }
    const std::string text(plan_.nest.slice(expression.range));
    const bool steps = isStep(expression);
    if (!isSpelledOut(expression))
      return fail("a part of the inner loop comes from a macro");
    if (!steps && expression.kind != Kind::Assign)
      return fail("'" + text + "' is not an assignment");
    const Expression &target = expression.operands[0];
    if (target.kind != Kind::Variable)
      return fail("'" + text + "' writes memory in the inner loop");
    const Variable &variable = plan_.variable(*target.variable);
    if (variable.kind != Variable::Kind::Scalar || variable.escapes || variable.type == "bool")
      return fail("'" + variable.name + "' is no plain local number");
    if (!plan_.own.contains(*target.variable) && !local_.contains(*target.variable))
      return fail("'" + variable.name + "' carries a value from one iteration of '" + plan_.outer.name +
                  "' to the next");
    if (plan_.own.contains(*target.variable))
      plan_.changed.insert(*target.variable);
    plan_.usedInside.insert(*target.variable);
    plan_.isWide |= target.isFloating && target.bits > 32;
    if (steps)
      return;
    const Expression &value = expression.operands[1];
    if (target.range.end > value.range.begin)
      return fail("'" + text + "' comes from a macro");
    checkValue(expression, target, value);
  }

  /// Sums are made under the mask, which adds zero for a lane that is done. Everything else is evaluated in all lanes.
  void checkValue(const Expression &expression, const Expression &target, const Expression &value) {
    Statement statement;
    statement.expression = expression;
    const auto update = updateOf(statement);
    if (update && update->operation == Update::Operation::Add && target.isInteger)
      return update->value ? read(*update->value) : void();
    if (target.isInteger && target.isSigned && expression.op != "=" && expression.op != "&=" && expression.op != "|=" &&
        expression.op != "^=")
      return fail("'" + std::string(plan_.nest.slice(expression.range)) + "' could overflow in a lane that is done");
    if (target.isInteger && value.isFloating)
      return fail("the conversion of '" + std::string(plan_.nest.slice(value.range)) +
                  "' could leave its type in a lane that is done");
    if (target.isInteger && (expression.op == "/=" || expression.op == "%=" || expression.op == "<<=" ||
                             expression.op == ">>=" || (expression.op == "*=" && target.bits < 32)))
      return fail("'" + std::string(plan_.nest.slice(expression.range)) + "' could trap in a lane that is done");
    read(value);
  }

  MaskPlan &plan_;
  std::set<VariableId> local_;
};

} // namespace

void checkMaskedBody(MaskPlan &plan) {
  BodyCheck(plan).run();
}

} // namespace agentic::moves
