#include "tool/source/nest/ast.h"

#include <algorithm>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

class ExpressionBuilder {
public:
  ExpressionBuilder(const clang::ASTContext &context, const TextMap &map, Symbols &symbols)
      : context_(context), map_(map), symbols_(symbols) {}

  Expression build(const clang::Expr *source) {
    source = source->IgnoreParens();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(source))
      return build(full->getSubExpr());
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(source))
      return build(temporary->getSubExpr());
    Expression result;
    fillType(result, source);
    if (const auto range = map_.range(source->getSourceRange()))
      result.range = *range;
    result.isPure = true;
    fill(result, source);
    for (const Expression &operand : result.operands)
      result.isPure &= operand.isPure;
    return result;
  }

private:
  void fillType(Expression &result, const clang::Expr *source) const {
    const clang::QualType type = plainType(source->getType());
    result.type = type.getAsString(symbols_.policy());
    if (source->getType().isVolatileQualified() || type->isDependentType())
      return;
    result.isFloating = type->isRealFloatingType();
    result.isInteger = type->isIntegerType() && !type->isEnumeralType();
    result.isSigned = type->isSignedIntegerType() || result.isFloating;
    if (result.isArithmetic())
      result.bits = static_cast<unsigned>(context_.getTypeSize(type));
    clang::Expr::EvalResult value;
    if (result.isInteger && !source->isValueDependent() &&
        source->EvaluateAsInt(value, context_, clang::Expr::SE_NoSideEffects))
      result.value = value.Val.getInt().tryExtValue();
  }

  void fill(Expression &result, const clang::Expr *source) {
    using namespace clang;
    const auto add = [&](const Expr *operand) { result.operands.push_back(build(operand)); };
    if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr, CharacterLiteral, UnaryExprOrTypeTraitExpr>(source)) {
      result.kind = Kind::Literal;
    } else if (const auto *name = dyn_cast<DeclRefExpr>(source)) {
      fillName(result, name);
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(source)) {
      result.kind = Kind::Element;
      add(element->getBase());
      add(element->getIdx());
    } else if (const auto *member = dyn_cast<MemberExpr>(source); member && isa<FieldDecl>(member->getMemberDecl())) {
      result.kind = Kind::Field;
      result.op = member->getMemberDecl()->getNameAsString();
      add(member->getBase());
    } else if (const auto *unary = dyn_cast<UnaryOperator>(source)) {
      fillUnary(result, unary);
    } else if (const auto *binary = dyn_cast<BinaryOperator>(source)) {
      result.kind = binary->isAssignmentOp() ? Kind::Assign : Kind::Binary;
      result.isPure = !binary->isAssignmentOp();
      result.op = binary->getOpcodeStr().str();
      add(binary->getLHS());
      add(binary->getRHS());
    } else if (const auto *choice = dyn_cast<ConditionalOperator>(source)) {
      result.kind = Kind::Conditional;
      add(choice->getCond());
      add(choice->getTrueExpr());
      add(choice->getFalseExpr());
    } else if (const auto *cast = dyn_cast<CastExpr>(source)) {
      result.kind = Kind::Cast;
      result.isImplicit = isa<ImplicitCastExpr>(cast);
      add(cast->getSubExpr());
    } else if (const auto *call = dyn_cast<CallExpr>(source)) {
      fillCall(result, call);
    } else {
      result.isPure = false;
    }
  }

  void fillName(Expression &result, const clang::DeclRefExpr *name) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    result.isPure = !name->getType().isVolatileQualified();
    if (!variable) {
      result.kind = llvm::isa<clang::EnumConstantDecl>(name->getDecl()) ? Kind::Literal : Kind::Other;
      return;
    }
    result.kind = Kind::Variable;
    result.variable = symbols_.id(variable);
  }

  void fillUnary(Expression &result, const clang::UnaryOperator *unary) {
    const auto code = unary->getOpcode();
    if (code == clang::UO_Deref) {
      result.kind = Kind::Element;
    } else if (code == clang::UO_AddrOf || code == clang::UO_Extension || code == clang::UO_Coawait ||
               code == clang::UO_Real || code == clang::UO_Imag) {
      result.isPure = false;
    } else {
      result.kind = Kind::Unary;
      result.op = (unary->isPostfix() ? "post" : "") + clang::UnaryOperator::getOpcodeStr(code).str();
      result.isPure = !unary->isIncrementDecrementOp();
    }
    result.operands.push_back(build(unary->getSubExpr()));
  }

  void fillCall(Expression &result, const clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee && isLibraryConstant(callee)) {
      result.kind = Kind::Literal;
      return;
    }
    if (const auto *element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
        element && element->getOperator() == clang::OO_Subscript && element->getNumArgs() == 2) {
      result.kind = Kind::Element; // of any class: the scanner knows which are plain memory
    } else if (callee && !llvm::isa<clang::CXXMethodDecl>(callee) &&
               (isPureFunction(callee) || isLibraryFunction(callee))) { // std::sort has effects, and is known
      result.kind = Kind::Call;
      result.op = callee->getQualifiedNameAsString();
      result.isLibrary = isLibraryFunction(callee);
      result.isPure = isPureFunction(callee);
    } else {
      result.isPure = false;
    }
    for (const clang::Expr *argument : call->arguments())
      result.operands.push_back(build(argument));
  }

  const clang::ASTContext &context_;
  const TextMap &map_;
  Symbols &symbols_;
};

} // namespace

Expression makeExpression(const clang::Expr *source, const clang::ASTContext &context, const TextMap &map,
                          Symbols &symbols) {
  return ExpressionBuilder(context, map, symbols).build(source);
}

} // namespace agentic::moves
