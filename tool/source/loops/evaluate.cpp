#include "tool/source/loops/evaluate.h"

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;
using Value = std::optional<std::int64_t>;

/// Converts the value to the type.
Value converted(std::int64_t value, const Expression &type) {
  if (type.type == "bool")
    return value != 0;
  if (type.bits >= 64)
    return type.isSigned || value >= 0 ? Value(value) : std::nullopt;
  const std::uint64_t mask = (std::uint64_t{1} << type.bits) - 1;
  const std::uint64_t low = static_cast<std::uint64_t>(value) & mask;
  const bool isNegative = type.isSigned && (low >> (type.bits - 1) & 1) != 0;
  return static_cast<std::int64_t>(isNegative ? low | ~mask : low);
}

/// Returns the result of arithmetic in the type: signed overflow is undefined.
Value computed(std::int64_t value, const Expression &type) {
  const Value result = converted(value, type);
  return type.isSigned && result != value ? std::nullopt : result;
}

class Evaluator {
public:
  Evaluator(const Nest &nest, const KnownValue &known) : nest_(nest), known_(known) {}

  Value run(const Expression &expression) {
    if (const Value value = known_(expression))
      return value;
    if (!expression.isInteger || expression.bits > 64 || !expression.isPure)
      return std::nullopt;
    if (expression.value)
      return expression.value;
    switch (expression.kind) {
    case Kind::Cast:
      return ofOne(expression, [&](std::int64_t value) { return converted(value, expression); });
    case Kind::Unary:
      return ofOne(expression, [&](std::int64_t value) { return unary(expression, value); });
    case Kind::Binary:
      return binary(expression);
    case Kind::Conditional: {
      const Value condition = run(expression.operands[0]);
      return condition ? run(expression.operands[*condition != 0 ? 1 : 2]) : std::nullopt;
    }
    case Kind::Element:
      return element(expression);
    default:
      return std::nullopt;
    }
  }

private:
  template <class Operation> Value ofOne(const Expression &expression, Operation operation) {
    const Value value = run(expression.operands[0]);
    return value ? operation(*value) : std::nullopt;
  }

  static Value unary(const Expression &expression, std::int64_t value) {
    if (expression.op == "!")
      return value == 0;
    if (expression.op == "+")
      return value;
    if (expression.op == "~")
      return converted(~value, expression);
    return expression.op == "-" && value != INT64_MIN ? computed(-value, expression) : std::nullopt;
  }

  Value binary(const Expression &expression) {
    const std::string &op = expression.op;
    const Value left = run(expression.operands[0]);
    if (!left)
      return std::nullopt;
    if ((op == "&&" && *left == 0) || (op == "||" && *left != 0))
      return op == "||";
    const Value right = run(expression.operands[1]);
    if (!right)
      return std::nullopt;
    if (op == "&&" || op == "||")
      return *right != 0;
    if (op == "==" || op == "!=" || op[0] == '<' || op[0] == '>')
      if (op != "<<" && op != ">>" && op != "<=>")
        return compared(op, *left, *right);
    return arithmetic(expression, *left, *right);
  }

  static Value compared(const std::string &op, std::int64_t left, std::int64_t right) {
    if (op == "==" || op == "!=")
      return (left == right) == (op == "==");
    if (op == "<" || op == ">=")
      return (left < right) == (op == "<");
    return (left > right) == (op == ">");
  }

  static Value arithmetic(const Expression &expression, std::int64_t left, std::int64_t right) {
    const std::string &op = expression.op;
    std::int64_t result = 0;
    if (op == "+" || op == "-" || op == "*") {
      const bool overflows = op == "+"   ? __builtin_add_overflow(left, right, &result)
                             : op == "-" ? __builtin_sub_overflow(left, right, &result)
                                         : __builtin_mul_overflow(left, right, &result);
      return overflows ? std::nullopt : computed(result, expression);
    }
    if (op == "/" || op == "%")
      return right <= 0 ? std::nullopt : computed(op == "/" ? left / right : left % right, expression);
    if (op == "&")
      return left & right;
    if (op == "|")
      return left | right;
    if (op == "^")
      return left ^ right;
    if ((op != "<<" && op != ">>") || right < 0 || right >= static_cast<std::int64_t>(expression.bits) || left < 0)
      return std::nullopt;
    if (op == ">>")
      return left >> right;
    return right < 62 && left < (std::int64_t{1} << (62 - right)) ? computed(left << right, expression) : std::nullopt;
  }

  /// `table[i]`, `table[i][j]`.
  Value element(const Expression &expression) {
    std::vector<std::int64_t> indices;
    const Expression *at = &expression;
    for (; at->kind == Kind::Element; at = &at->operands[0].plain()) {
      if (at->operands.size() != 2)
        return std::nullopt;
      const Value index = run(at->operands[1]);
      if (!index)
        return std::nullopt;
      indices.insert(indices.begin(), *index);
    }
    if (at->kind != Kind::Variable)
      return std::nullopt;
    const Variable &table = nest_.variable(*at->variable);
    if (table.values.empty() || indices.size() != table.dimensions.size())
      return std::nullopt;
    std::int64_t place = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 0 || indices[i] >= table.dimensions[i])
        return std::nullopt;
      place = place * table.dimensions[i] + indices[i];
    }
    return table.values[static_cast<std::size_t>(place)];
  }

  const Nest &nest_;
  const KnownValue &known_;
};

} // namespace

Value evaluate(const Nest &nest, const Expression &expression, const KnownValue &known) {
  return Evaluator(nest, known).run(expression);
}

} // namespace agentic::moves
