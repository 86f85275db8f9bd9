#include "tool/source/moves/bit_count.h"

#include <optional>
#include <string_view>
#include <utility>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

bool isVariable(const Expression &expression, VariableId variable) {
  return expression.plain().kind == Kind::Variable && expression.plain().variable == variable;
}
bool isConstant(const Expression &expression, std::int64_t value) {
  return expression.isInteger && expression.value == value;
}
bool isOperation(const Expression &expression, std::string_view op) {
  return expression.kind == Kind::Binary && expression.op == op && expression.isInteger;
}

/// Returns the variable in `x`, `x != 0`, `0 != x`, `x > 0`; null for any other condition.
const Expression *testedForZero(const Expression &condition) {
  const Expression &test = condition.plain();
  if (test.kind == Kind::Variable)
    return &test;
  if (test.kind != Kind::Binary || test.operands.size() != 2)
    return nullptr;
  const bool isUnequal = test.op == "!=", isGreater = test.op == ">", isLess = test.op == "<";
  const Expression &left = test.operands[0], &right = test.operands[1];
  if ((isUnequal || isGreater) && isConstant(right, 0) && left.plain().kind == Kind::Variable)
    return &left.plain();
  if ((isUnequal || isLess) && isConstant(left, 0) && right.plain().kind == Kind::Variable)
    return &right.plain();
  return nullptr;
}

/// Matches `x & 1`.
bool isLowestBit(const Expression &written, VariableId bits) {
  const Expression &value = written.plain();
  return isOperation(value, "&") && ((isVariable(value.operands[0], bits) && isConstant(value.operands[1], 1)) ||
                                     (isVariable(value.operands[1], bits) && isConstant(value.operands[0], 1)));
}

enum class Step { None, ClearsLowest, Shifts };

/// Matches `x - 1`.
bool isOneLess(const Expression &written, VariableId bits) {
  const Expression &value = written.plain();
  return isOperation(value, "-") && isVariable(value.operands[0], bits) && isConstant(value.operands[1], 1);
}
/// Matches `x & -x`.
bool isLowestSetBit(const Expression &written, VariableId bits) {
  const Expression &value = written.plain();
  const auto isNegative = [&](const Expression &operand) {
    const Expression &inner = operand.plain();
    return inner.kind == Kind::Unary && inner.op == "-" && isVariable(inner.operands[0], bits);
  };
  return isOperation(value, "&") && ((isVariable(value.operands[0], bits) && isNegative(value.operands[1])) ||
                                     (isVariable(value.operands[1], bits) && isNegative(value.operands[0])));
}

Step stepOf(const Expression &expression, VariableId bits) {
  if (expression.kind != Kind::Assign || !isVariable(expression.operands[0], bits))
    return Step::None;
  const Expression &value = expression.operands[1];
  if (expression.op == "=") {
    const Expression &plain = value.plain();
    if (plain.kind != Kind::Binary || plain.operands.size() != 2)
      return Step::None;
    const bool isLeft = isVariable(plain.operands[0], bits), isRight = isVariable(plain.operands[1], bits);
    if (plain.op == "&" &&
        ((isLeft && isOneLess(plain.operands[1], bits)) || (isRight && isOneLess(plain.operands[0], bits))))
      return Step::ClearsLowest;
    return isLeft && plain.op == ">>" && isConstant(plain.operands[1], 1) ? Step::Shifts : Step::None;
  }
  if ((expression.op == "&=" && isOneLess(value, bits)) ||
      ((expression.op == "^=" || expression.op == "-=") && isLowestSetBit(value, bits)))
    return Step::ClearsLowest;
  return expression.op == ">>=" && isConstant(value, 1) ? Step::Shifts : Step::None;
}

/// `++count` (in every pass), or `count += x & 1` and `if (x & 1) ++count` (for every bit).
struct Counting {
  const Expression *count = nullptr;
  bool isNegated = false, ofBit = false;
};

std::optional<Counting> countingOf(const Statement &statement, VariableId bits) {
  if (statement.branch) {
    const Branch &branch = *statement.branch;
    const Expression &condition = branch.condition.plain();
    const bool isTest = isLowestBit(condition, bits) ||
                        (condition.kind == Kind::Binary && condition.op == "!=" &&
                         isLowestBit(condition.operands[0], bits) && isConstant(condition.operands[1], 0));
    if (branch.hasElse || branch.thenBody.size() != 1 || !isTest || branch.thenBody[0].branch)
      return std::nullopt;
    auto counting = countingOf(branch.thenBody[0], bits);
    if (!counting || counting->ofBit)
      return std::nullopt;
    counting->ofBit = true;
    return counting;
  }
  const auto update = updateOf(statement);
  if (!update || update->operation != Update::Operation::Add || update->target->kind != Kind::Variable)
    return std::nullopt;
  if (!update->value || isConstant(*update->value, 1))
    return Counting{update->target, update->isNegated, false};
  if (isLowestBit(*update->value, bits))
    return Counting{update->target, update->isNegated, true};
  return std::nullopt;
}

class BitLoops {
public:
  explicit BitLoops(const Nest &nest) : nest_(nest) {}

  std::vector<BitLoop> find() {
    visit(nest_.statements);
    return std::move(found_);
  }

private:
  void visit(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements) {
      if (!statement.exitLoop || !add(statement, statements)) {
        if (statement.loop)
          visit(statement.loop->body);
        else if (statement.exitLoop)
          visit(statement.exitLoop->body);
        visit(statement.inner);
      }
      if (statement.branch) {
        visit(statement.branch->thenBody);
        visit(statement.branch->elseBody);
      }
    }
  }

  bool add(const Statement &statement, const std::vector<Statement> &block) {
    auto loop = match(*statement.exitLoop);
    if (!loop)
      return false;
    loop->range = statement.range;
    for (const Statement &other : block)
      if (other.declares == loop->bits->variable && other.range.end <= statement.range.begin)
        loop->declaration = &other;
    loop->problem = whyNot(*loop);
    found_.push_back(*loop);
    return true;
  }

  std::optional<BitLoop> match(const ExitLoop &loop) const {
    const Expression *bits = loop.condition ? testedForZero(*loop.condition) : nullptr;
    if (!bits || loop.start.size() > 1 || loop.body.empty() || loop.body.size() > 2)
      return std::nullopt;
    BitLoop result;
    result.bits = bits;
    if (!loop.start.empty()) {
      const Statement &start = loop.start.front();
      const bool assigns = start.expression && start.expression->kind == Kind::Assign && start.expression->op == "=" &&
                           isVariable(start.expression->operands[0], *bits->variable);
      if (!assigns && (start.declares != bits->variable || !start.value))
        return std::nullopt;
      result.start = &start;
    }
    // This is the order of execution, with the loop's own step last.
    std::optional<Counting> counting;
    Step step = Step::None;
    bool countsFirst = false;
    for (const Statement &statement : loop.body) {
      const Step next = statement.expression ? stepOf(*statement.expression, *bits->variable) : Step::None;
      const auto counted = countingOf(statement, *bits->variable);
      if ((next == Step::None) == !counted || (next != Step::None && step != Step::None) || (counted && counting))
        return std::nullopt;
      if (counted) {
        counting = counted;
        countsFirst = step == Step::None;
      } else {
        step = next;
      }
    }
    if (loop.step) {
      if (step != Step::None)
        return std::nullopt;
      step = stepOf(*loop.step, *bits->variable);
    }
    if (!counting || step == Step::None || (step == Step::Shifts) != counting->ofBit ||
        (counting->ofBit && !countsFirst))
      return std::nullopt;
    result.count = counting->count;
    result.isNegated = counting->isNegated;
    return result;
  }

  std::string whyNot(const BitLoop &loop) const {
    const Variable &bits = variable(*loop.bits), &count = variable(*loop.count);
    const auto whyNoNumber = [](const Expression &expression, const Variable &name) -> std::string {
      const bool isWord = name.kind == Variable::Kind::Scalar && expression.isInteger && expression.type != "bool" &&
                          expression.bits <= 64 && !name.isGlobal;
      return isWord ? "" : "'" + name.name + "' is no integer variable of the function's own of at most 64 bits";
    };
    for (const std::string &reason : {whyNoNumber(*loop.bits, bits), whyNoNumber(*loop.count, count)})
      if (!reason.empty())
        return reason;
    if (loop.bits->isSigned)
      return "'" + bits.name + "' is signed: for a negative number the loop does not end";
    if (loop.bits->variable == loop.count->variable)
      return "'" + bits.name + "' is changed in two ways";
    const std::string_view text = nest_.text;
    const std::size_t before = text.find_last_not_of(" \t\n", loop.range.begin - 1);
    const std::size_t line = text.rfind('\n', before);
    const std::size_t first = line == std::string_view::npos ? before : text.find_first_not_of(" \t", line + 1);
    const bool hasDirective = nest_.slice(loop.range).find("\n#") != std::string_view::npos || text[first] == '#';
    return hasDirective ? "the loop that counts the bits of '" + bits.name + "' has a directive" : "";
  }

  const Variable &variable(const Expression &expression) const { return nest_.variable(*expression.variable); }

  const Nest &nest_;
  std::vector<BitLoop> found_;
};

} // namespace

std::vector<BitLoop> bitLoopsOf(const Nest &nest) {
  return BitLoops(nest).find();
}

} // namespace agentic::moves
