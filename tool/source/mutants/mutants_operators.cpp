// Chooses the operator that a mistake would write in place of another.
#include "tool/source/mutants/mutants_ast.h"

namespace agentic::mutants {

std::string otherOperator(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_Add:
    return "-";
  case clang::BO_Sub:
  case clang::BO_Mul:
    return "+";
  case clang::BO_Div:
    return "*";
  case clang::BO_Rem:
    return "/";
  case clang::BO_And:
  case clang::BO_Xor:
    return "|";
  case clang::BO_Or:
    return "&";
  case clang::BO_Shl:
    return ">>";
  case clang::BO_Shr:
    return "<<";
  case clang::BO_LAnd:
    return "||";
  case clang::BO_LOr:
    return "&&";
  default:
    return {};
  }
}

std::string otherComparison(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_LT:
    return "<=";
  case clang::BO_LE:
    return "<";
  case clang::BO_GT:
    return ">=";
  case clang::BO_GE:
    return ">";
  case clang::BO_EQ:
    return "!=";
  case clang::BO_NE:
    return "==";
  default:
    return {};
  }
}

} // namespace agentic::mutants
