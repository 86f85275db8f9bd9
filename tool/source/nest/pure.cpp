#include "tool/source/nest/ast.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace agentic::moves {
namespace {

// These take arguments by value or const reference and have no state but errno.
constexpr auto kPure = std::to_array<std::string_view>(
    {"abs",    "acos",  "asin",     "atan",      "atan2",    "bit_cast",       "cbrt",
     "ceil",   "clamp", "copysign", "cos",       "cosh",     "countl_zero",    "countr_zero",
     "erf",    "erfc",  "exp",      "exp2",      "expm1",    "fabs",           "fdim",
     "floor",  "fma",   "fmax",     "fmin",      "fmod",     "has_single_bit", "huge_val",
     "hypot",  "inf",   "isfinite", "isinf",     "isnan",    "isnormal",       "labs",
     "ldexp",  "llabs", "log",      "log10",     "log1p",    "log2",           "lrint",
     "lround", "max",   "min",      "nearbyint", "popcount", "popcountl",      "pow",
     "rint",   "rotl",  "rotr",     "round",     "scalbn",   "signbit",        "sin",
     "sinh",   "sqrt",  "tan",      "tanh",      "tgamma",   "trunc"});

bool isPureName(std::string_view name) {
  name = libraryName(name);
  if (std::ranges::binary_search(kPure, name))
    return true;
  // sqrtf, sqrtl
  return !name.empty() && (name.back() == 'f' || name.back() == 'l') &&
         std::ranges::binary_search(kPure, name.substr(0, name.size() - 1));
}

/// Accepts a body that computes on its by-value arguments, its locals and constants.
class PureBody : public clang::RecursiveASTVisitor<PureBody> {
public:
  explicit PureBody(std::set<const clang::FunctionDecl *> &active) : active_(active) {}
  bool isPure = true;

  bool check(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *definition = nullptr;
    if (!function->hasBody(definition) || llvm::isa<clang::CXXMethodDecl>(function) || active_.size() > 8)
      return false;
    if (!definition->getReturnType()->isArithmeticType() || !active_.insert(definition->getCanonicalDecl()).second)
      return false;
    for (const clang::ParmVarDecl *parameter : definition->parameters())
      isPure &= parameter->getType()->isArithmeticType() && !parameter->getType().isVolatileQualified();
    if (isPure)
      TraverseStmt(definition->getBody());
    active_.erase(definition->getCanonicalDecl());
    return isPure;
  }

  bool VisitVarDecl(clang::VarDecl *variable) {
    const clang::QualType type = variable->getType();
    const bool isValue = type->isArithmeticType() || type->isConstantArrayType();
    return need(isValue && !type.isVolatileQualified() && (!variable->isStaticLocal() || type.isConstQualified()));
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *name) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      return need(!variable->hasGlobalStorage() ||
                  variable->getASTContext().getBaseElementType(variable->getType()).isConstQualified());
    return need(llvm::isa<clang::FunctionDecl, clang::EnumConstantDecl>(name->getDecl()));
  }
  bool VisitUnaryOperator(clang::UnaryOperator *operation) {
    // An address may only go to memcpy between locals, the usual way to reinterpret bits.
    return need(operation->getOpcode() != clang::UO_Deref &&
                (operation->getOpcode() != clang::UO_AddrOf || addressesForCopy_.contains(operation)));
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return need(false);
    const std::string name = callee->getNameAsString();
    if (name == "memcpy" || name == "__builtin_memcpy")
      return need(isCopyOfLocals(call));
    if (isLibraryFunction(callee))
      return need(isPureName(name));
    return need(PureBody(active_).check(callee));
  }
  bool VisitStmt(clang::Stmt *statement) {
    return need(
        !llvm::isa<clang::LambdaExpr, clang::AsmStmt, clang::CXXThrowExpr, clang::CXXNewExpr, clang::CXXDeleteExpr,
                   clang::StmtExpr, clang::CXXTryStmt, clang::CXXConstructExpr, clang::MemberExpr, clang::CXXThisExpr,
                   clang::WhileStmt, clang::DoStmt, clang::GotoStmt, clang::AtomicExpr, clang::CoawaitExpr>(statement));
  }

private:
  bool need(bool condition) {
    isPure &= condition;
    return isPure;
  }
  bool isCopyOfLocals(const clang::CallExpr *call) {
    if (call->getNumArgs() != 3)
      return false;
    for (unsigned i = 0; i < 2; ++i) {
      const auto *address = llvm::dyn_cast<clang::UnaryOperator>(call->getArg(i)->IgnoreParenCasts());
      const clang::VarDecl *variable =
          address && address->getOpcode() == clang::UO_AddrOf ? namedVariable(address->getSubExpr()) : nullptr;
      if (!variable || variable->hasGlobalStorage() || !variable->getType()->isArithmeticType())
        return false;
      addressesForCopy_.insert(address);
    }
    return true;
  }

  std::set<const clang::FunctionDecl *> &active_;
  std::set<const clang::UnaryOperator *> addressesForCopy_;
};

} // namespace

bool isLibraryFunction(const clang::FunctionDecl *function) {
  if (llvm::isa<clang::CXXMethodDecl>(function))
    return false;
  if (function->isInStdNamespace() || function->getBuiltinID() != 0)
    return true;
  // The project may have an extern "C" function of such a name.
  return function->isExternC() && !function->hasBody() &&
         function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation());
}

bool isLibraryConstant(const clang::FunctionDecl *function) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return method && method->isStatic() && method->isConstexpr() && method->getParent()->isInStdNamespace() &&
         method->getNumParams() == 0 && method->getReturnType()->isArithmeticType();
}

bool isPureFunction(const clang::FunctionDecl *function) {
  if (isLibraryConstant(function))
    return true;
  if (isLibraryFunction(function))
    return isPureName(function->getNameAsString());
  std::set<const clang::FunctionDecl *> active;
  return PureBody(active).check(function);
}

} // namespace agentic::moves
