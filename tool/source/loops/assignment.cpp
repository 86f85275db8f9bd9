#include "tool/source/loops/assignment.h"

namespace agentic::moves {

std::string assignedValue(const Nest &nest, const Expression &assignment) {
  const Expression &target = assignment.operands[0], &value = assignment.operands[1];
  const Variable &variable = nest.variable(*target.variable);
  const std::string written(nest.slice(value.range));
  if (assignment.op == "=")
    return value.plain().type == target.type ? written : "static_cast<" + variable.type + ">(" + written + ")";
  const std::string op = assignment.op.substr(0, assignment.op.size() - 1);
  const Expression &plain = value.plain();
  const bool isAtom = plain.kind == Expression::Kind::Variable || plain.kind == Expression::Kind::Literal ||
                      plain.kind == Expression::Kind::Element || plain.kind == Expression::Kind::Call;
  const std::string text = variable.name + " " + op + " " + (isAtom ? written : "(" + written + ")");
  // Narrow integers are computed as int, and other types perhaps in the value's type.
  const bool isPlain = plain.type == target.type && target.bits >= 32;
  return isPlain ? text : "static_cast<" + variable.type + ">(" + text + ")";
}

} // namespace agentic::moves
