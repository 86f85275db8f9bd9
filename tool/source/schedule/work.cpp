#include "tool/source/schedule/work.h"

#include <algorithm>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr double kOperation = 0.25, kMemory = 0.4, kDivision = 5, kLibraryCall = 30, kInlinedCall = 6, kGather = 1;

bool isRoot(const Expression &call) {
  return libraryName(call.op).starts_with("sqrt");
}

bool isCheapCall(std::string_view name) {
  name = libraryName(name);
  return name.starts_with("max") || name.starts_with("min") || name.starts_with("fma") || name.starts_with("fabs") ||
         name.starts_with("abs") || name.starts_with("sqrt") || name.starts_with("popcount") ||
         name.starts_with("fmin") || name.starts_with("copysign") || name.starts_with("clamp") ||
         name.starts_with("ia32_");
}

/// Returns whether it divides by what only a run knows.
bool isIntegerDivision(const Expression &part) {
  return part.kind == Kind::Binary && (part.op == "/" || part.op == "%") && part.isInteger && !part.operands[1].value;
}

void addDivision(Work &work) {
  work.cycles += kDivision;
  work.hasCall = true;
}

/// Returns whether a call copies a vector: one load or store.
bool isCopy(const Expression &call) {
  constexpr std::int64_t kVector = 64;
  return call.op.ends_with("memcpy") && call.operands.size() == 3 && call.operands[2].value &&
         *call.operands[2].value <= kVector;
}

bool isLocalArray(const Variable &variable) {
  return variable.bytes > 0 && !variable.isGlobal && !variable.isParameter && !variable.isConstant;
}

} // namespace

Machine machineOf(const std::string &level) {
  if (level.starts_with("x86-64-v4"))
    return {64, 32};
  if (level == "x86-64-v3")
    return {32, 16};
  if (level == "sve" || level == "sve2" || level == "rv64gcv" || level.starts_with("arm"))
    return {16, 32};
  return {16, 16};
}

Work &Work::operator+=(const Work &part) {
  cycles += part.cycles;
  widestBits = std::max(widestBits, part.widestBits);
  hasCall |= part.hasCall;
  return *this;
}

WorkCounter::WorkCounter(const Nest &nest, const Machine &machine) : nest_(nest), machine_(machine) {
  double bytes = 0;
  for (const Variable &variable : nest.variables)
    if (isLocalArray(variable))
      bytes += static_cast<double>(variable.bytes);
  // Arrays of different parts of the function are rarely live together; the largest tile decides.
  inRegisters_ = bytes <= machine.vectorBytes * (machine.vectorRegisters - 4);
}

Work WorkCounter::of(const Statement &statement) const {
  Work work;
  if (statement.expression)
    add(*statement.expression, work);
  if (statement.value)
    add(*statement.value, work);
  if (statement.branch) {
    add(statement.branch->condition, work);
    for (const auto *body : {&statement.branch->thenBody, &statement.branch->elseBody})
      for (const Statement &inner : *body)
        work += of(inner);
  }
  return work;
}

bool WorkCounter::isInRegisters(const Expression &base) const {
  const Expression *root = &base.plain();
  while (root->kind == Kind::Element && !root->operands.empty())
    root = &root->operands.front().plain();
  return root->variable && inRegisters_ && isLocalArray(nest_.variable(*root->variable));
}

/// Returns whether a compiler that looks sees that a floating-point number is not negative.
bool WorkCounter::isVisiblyNonNegative(const Expression &expression) const {
  const Expression &number = expression.plain();
  const auto are = [&] {
    return std::ranges::all_of(number.operands, [&](const Expression &part) { return isVisiblyNonNegative(part); });
  };
  if (number.kind == Kind::Literal)
    return true; // a sign is an operator
  if (number.kind == Kind::Call)
    return isRoot(number) || libraryName(number.op).starts_with("fabs") || libraryName(number.op) == "abs";
  if (number.kind != Kind::Binary)
    return false;
  const std::string_view factor = nest_.slice(number.operands[0].range);
  if (number.op == "*" && !factor.empty() && factor == nest_.slice(number.operands[1].range)) // empty: from a macro
    return true;
  return (number.op == "+" || number.op == "*" || number.op == "/") && are();
}

/// The root of a negative number does, but for flags that leave errno alone.
bool WorkCounter::maySetErrno(const Expression &call) const {
  return isRoot(call) && !nest_.function.mayReassociateByFlags &&
         !(machine_.compilerSeesSigns && isVisiblyNonNegative(call.operands.front()));
}

void WorkCounter::add(const Expression &expression, Work &work) const {
  if (expression.isArithmetic() && expression.kind != Kind::Literal)
    work.widestBits = std::max(work.widestBits, expression.bits);
  switch (expression.kind) {
  case Kind::Element:
    if (!isInRegisters(expression))
      work.cycles += kMemory;
    // Addresses are stepped, not computed; but an element that selects another one is a gather, and nothing steps a
    // remainder.
    for (const Expression &operand : expression.operands)
      forEachExpression(operand, [&](const Expression &inner) {
        if (inner.kind == Kind::Element && inner.isArithmetic())
          work.cycles += kGather;
        if (isIntegerDivision(inner))
          addDivision(work);
        return true;
      });
    return;
  case Kind::Call:
    if (!expression.isLibrary) { // known to be pure: compilers see its body and inline it
      work.cycles += kInlinedCall;
      break;
    }
    if (isCopy(expression)) {
      work.hasCall = true;
      work.cycles += kMemory;
      return;
    }
    work.hasCall |= !isCheapCall(expression.op) || maySetErrno(expression);
    work.cycles += isCheapCall(expression.op) ? kOperation : kLibraryCall;
    break;
  case Kind::Binary:
    if (isIntegerDivision(expression))
      addDivision(work);
    else
      work.cycles += expression.op == "/" || expression.op == "%" ? kDivision : kOperation;
    break;
  case Kind::Assign:
    if (expression.op != "=")
      work.cycles += kOperation;
    break;
  case Kind::Unary:
  case Kind::Conditional:
    work.cycles += kOperation;
    break;
  default:
    break;
  }
  for (const Expression &operand : expression.operands)
    add(operand, work);
}

} // namespace agentic::moves
