#include "ast-checks/approximate_math.h"

#include "ast-checks/context.h"

namespace agentic::checks {
namespace {

bool isApproximate(llvm::StringRef name) {
  if (name.starts_with("vrecpe") || name.starts_with("vrsqrte") || name.starts_with("__builtin_neon_vrecpe") ||
      name.starts_with("__builtin_neon_vrsqrte"))
    return true;
  const bool isX86 = name.starts_with("_mm") || name.starts_with("__builtin_ia32_");
  return isX86 &&
         (name.contains("rcp") || name.contains("rsqrt") || name.contains("exp2a23") || name.contains("exp2p"));
}

} // namespace

void ApproximateMath::statement(const clang::Stmt &statement, Context &context) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement);
  const auto *function = reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
  if (function && function->getIdentifier() && isApproximate(function->getName()))
    context.report(*this, reference->getLocation(),
                   "'" + function->getNameAsString() +
                       "' has 11 to 28 correct bits; the tolerance must allow for it, or a Newton step follow");
}

} // namespace agentic::checks
