// The small expressions of contracts: extents ("M * K") and requirements ("K % 32 == 0 && eps > 0"), with the
// operators, precedence and literals of C++.
#pragma once

#include "tool/base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct Expression {
  enum class Kind {
    Integer, ///< text: the literal
    Real,    ///< text: the literal
    Name,    ///< text: a parameter
    Size,    ///< text: the parameter before ".size()"
    Unary,   ///< text: "-" or "!"; one operand
    Binary   ///< text: the operator; two operands
  };
  Kind kind = Kind::Integer;
  std::string text;
  std::vector<Expression> operands;
};

/// Parses the whole of `text`: integer and floating-point literals, names, `name.size()`, parentheses, unary - and !,
/// and the binary operators * / % + - << >> < <= > >= == != & ^ | && ||. The error says what was not understood; the
/// caller, who knows the expression's purpose, fills in its `next`.
Result<Expression> parseExpression(std::string_view text);

/// Returns whether the expression is a truth value: a comparison, `&&`, `||` or `!`.
bool isCondition(const Expression &expression);

/// Returns true for the integer literal 0, however it is written.
bool isLiteralZero(const Expression &expression);

} // namespace agentic
