#include "tool/source/nest/ast.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace agentic::moves {
namespace {

/// Finds what a body reaches besides its arguments and locals, and which of its pointers it assigns.
class BodyFacts : public clang::RecursiveASTVisitor<BodyFacts> {
public:
  explicit BodyFacts(const clang::FunctionDecl &function) : function_(function.getCanonicalDecl()) {}

  std::set<const clang::VarDecl *> assigned;
  bool callsItself = false, hasStaticLocal = false;
  std::string reaches;

  bool VisitBinaryOperator(clang::BinaryOperator *operation) {
    if (operation->getOpcode() == clang::BO_Assign)
      if (const clang::VarDecl *target = namedVariable(operation->getLHS()))
        assigned.insert(target->getCanonicalDecl());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *name) {
    callsItself |= name->getDecl()->getCanonicalDecl() == function_;
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (!variable || !variable->hasGlobalStorage())
      return true;
    hasStaticLocal |= variable->isStaticLocal();
    const clang::QualType type = variable->getType();
    const bool isConstant = variable->isConstexpr() || type.isConstQualified();
    if (!isConstant || type->isPointerType() || type->isReferenceType())
      found("the global '" + variable->getNameAsString() + "'");
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue && cast->getType()->isPointerType() &&
        !llvm::isa<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
      found("a pointer that is itself read from memory");
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    const bool isElement =
        llvm::isa<clang::CXXOperatorCallExpr, clang::CXXMemberCallExpr>(call) && callee && callee->isInStdNamespace();
    if (!callee)
      found("a call to something that is not known at compile time");
    else if (!isElement && !callee->getBuiltinID() && !isPureFunction(callee) && !isFailedAssertion(*callee))
      found("the call to '" + callee->getNameAsString() + "'");
    return true;
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr *) {
    found("'this'");
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr *) {
    found("a lambda");
    return true;
  }
  bool VisitAsmStmt(clang::AsmStmt *) {
    found("inline assembly");
    return true;
  }

private:
  /// What `assert` calls reads its own texts, and does not come back.
  static bool isFailedAssertion(const clang::FunctionDecl &callee) {
    const std::string name = callee.getNameAsString();
    return callee.isNoReturn() && (name == "__assert_fail" || name == "__assert");
  }

  void found(std::string what) {
    if (reaches.empty())
      reaches = std::move(what);
  }
  const clang::FunctionDecl *function_;
};

bool isPlainPointer(const clang::ParmVarDecl &parameter) {
  const clang::TypeSourceInfo *written = parameter.getTypeSourceInfo();
  if (!written)
    return false;
  clang::TypeLoc type = written->getTypeLoc().getUnqualifiedLoc();
  while (const auto paren = type.getAs<clang::ParenTypeLoc>())
    type = paren.getInnerLoc().getUnqualifiedLoc();
  return !type.getAs<clang::PointerTypeLoc>().isNull() && parameter.getType()->isObjectPointerType() &&
         !parameter.getType().isVolatileQualified();
}

/// Returns whether copying one for a call costs nothing and calls nothing.
bool isFreeCopy(clang::QualType type) {
  return type->isScalarType() || (type->isLValueReferenceType());
}

std::int64_t largestOf(clang::QualType type, const clang::ASTContext &context) {
  const auto bits = context.getTypeSize(type) - (type->isSignedIntegerOrEnumerationType() ? 1 : 0);
  return bits < 63 ? (std::int64_t{1} << bits) - 1 : INT64_MAX;
}

Parameter describe(const clang::ParmVarDecl &source, const TextMap &map, Symbols &symbols, const VariableUses &uses,
                   const BodyFacts &body) {
  Parameter parameter;
  parameter.name = source.getNameAsString();
  parameter.variable = symbols.id(&source);
  const clang::QualType type = source.getType().getCanonicalType();
  parameter.type = type.getUnqualifiedType().getAsString(symbols.policy());
  parameter.isInteger = type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType();
  parameter.isPlainPointer = isPlainPointer(source);
  parameter.isRestrict = source.getType().isRestrictQualified();
  const clang::VarDecl *declaration = source.getCanonicalDecl();
  parameter.isAssigned = body.assigned.contains(declaration) || uses.escaping.contains(declaration);
  if (!parameter.name.empty() && !source.getLocation().isMacroID())
    parameter.nameOffset = map.offset(source.getLocation()).value_or(0);
  return parameter;
}

} // namespace

FunctionFacts describeFunction(const clang::FunctionDecl &function, const TextMap &map, Symbols &symbols,
                               const VariableUses &uses) {
  FunctionFacts facts;
  BodyFacts body(function);
  body.TraverseStmt(function.getBody());
  facts.reachesMemory = body.reaches;
  facts.callsItself = body.callsItself;
  facts.hasStaticLocal = body.hasStaticLocal;
  facts.returnType = function.getReturnType().getCanonicalType().getAsString(symbols.policy());
  facts.isVariadic = function.isVariadic();
  if (const auto *prototype = function.getType()->getAs<clang::FunctionProtoType>())
    facts.isNoexcept = prototype->isNothrow();
  for (const clang::ParmVarDecl *parameter : function.parameters()) {
    facts.copiesAreFree &= isFreeCopy(parameter->getType());
    facts.parameters.push_back(describe(*parameter, map, symbols, uses, body));
    if (Parameter &added = facts.parameters.back(); added.isInteger)
      added.largest = largestOf(parameter->getType(), function.getASTContext());
  }
  if (const auto range = map.range(function.getBody()->getSourceRange()))
    facts.body = *range;
  const clang::FunctionTypeLoc written = function.getFunctionTypeLoc();
  if (written && !written.getLParenLoc().isMacroID() && !written.getRParenLoc().isMacroID())
    if (const auto range = map.range({written.getLParenLoc(), written.getRParenLoc()}))
      facts.parameterList = {range->begin + 1, range->end - 1};
  return facts;
}

} // namespace agentic::moves
