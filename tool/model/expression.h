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
/// and
/// * / % + - << >> < <= > >= == != & ^ | && ||. Error: one that says what was not understood; its `next` is for the
/// caller, who knows what the expression is for, to fill in.
Result<Expression> parseExpression(std::string_view text);

/// A comparison, `&&`, `||` or `!`: something that is true or false.
bool isCondition(const Expression &expression);

/// True for the integer literal 0, however it is written.
bool isLiteralZero(const Expression &expression);

} // namespace agentic
