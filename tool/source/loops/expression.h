// A statement's expressions as a tree without Clang types, for the moves to match on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic::moves {

struct Range {
  std::size_t begin = 0, end = 0;
  bool isEmpty() const { return begin == end; }
  bool contains(const Range &other) const { return begin <= other.begin && other.end <= end; }
  bool operator==(const Range &) const = default;
};

using VariableId = int;

struct Expression {
  enum class Kind {
    Literal,
    Variable,    ///< `variable`
    Element,     ///< operands: base, subscript; also `v[i]` of a container, and `*p` (one operand)
    Field,       ///< operand: the object or the pointer; `op` is the field's name
    Unary,       ///< `op`: "-", "~", "!", "+", "++", "--", "post++", "post--"
    Binary,      ///< `op`: "+", "<<", "&&", ",", …
    Assign,      ///< `op`: "=", "+=", …; operands: target, value
    Conditional, ///< operands: condition, then, else
    Cast,        ///< `isImplicit` or written; `type` is the target
    Call,        ///< `op`: the qualified name of a pure or a library's function; operands: arguments
    Other        ///< anything else: never touched
  };
  Kind kind = Kind::Other;
  Range range; ///< as written, macro uses included; empty if it cannot be sliced out of the text
  std::string op;
  std::string type; ///< canonical, unqualified type of the value, for declaring a temporary
  bool isFloating = false, isInteger = false, isSigned = false;
  unsigned bits = 0;                  ///< width of an arithmetic type
  std::optional<std::int64_t> value;  ///< value of a constant integer
  std::optional<VariableId> variable; ///< of a Variable: which
  bool isImplicit = false;
  bool isLibrary = false; ///< a call of a function of the standard library, or a builtin
  bool isPure = false;    ///< evaluating it has no side effect; it may read memory
  std::vector<Expression> operands;

  bool isArithmetic() const { return isFloating || isInteger; }
  /// Skips implicit conversions (parentheses are not nodes of the tree; `range` of an operand excludes them).
  const Expression &plain() const { return kind == Kind::Cast && isImplicit ? operands.front().plain() : *this; }
};

/// Calls `visit` for `expression` and everything inside it, outermost first; does not enter an expression for which
/// `visit` returns false.
void forEachExpression(const Expression &expression, const std::function<bool(const Expression &)> &visit);
/// Calls `visit` for every part that is evaluated whenever `expression` is, itself included: not for what stands behind
/// `&&`, `||` and `?`.
void forEachCertain(const Expression &expression, const std::function<void(const Expression &)> &visit);
bool readsMemory(const Expression &expression); ///< an Element or Field, or a variable of class or reference type
bool mentions(const Expression &expression, VariableId variable);
/// Returns whether both are the same operations on the same variables and constants: two such numbers are equal, and
/// two such elements one place in memory, unless something changes between them.
bool isIdentical(const Expression &left, const Expression &right);
bool isStep(const Expression &expression); ///< `++x`, `x--`
/// Returns a library function's name as C has it: "sqrtf" of "::std::sqrtf" and of "__builtin_sqrtf".
std::string_view libraryName(std::string_view callee);
/// Returns whether every part has a place of its own in the text, so that parts can be replaced: none comes from a
/// macro's body.
bool isSpelledOut(const Expression &expression);

/// An update `target op= value`, however it is written: `s += x`, `s = s + x`, `s = max(s, x)`, `if (x > s) s = x`,
/// `++n`.
struct Update {
  enum class Operation { Add, Multiply, Min, Max, And, Or, Xor };
  Operation operation = Operation::Add;
  const Expression *target = nullptr; ///< a Variable or an Element
  const Expression *value = nullptr;  ///< null for ++ and --: 1
  bool isNegated = false;             ///< `s -= x`, `--n`
};

struct Statement;
/// Returns nullopt if the statement is anything else, or `value` mentions the target. Min and Max in floating point are
/// recognised only as written: the move decides which operand a NaN or a zero's sign comes from.
std::optional<Update> updateOf(const Statement &statement);

} // namespace agentic::moves
