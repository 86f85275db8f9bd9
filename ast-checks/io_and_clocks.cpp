#include "ast-checks/io_and_clocks.h"

#include "ast-checks/context.h"
#include "ast-checks/function_use.h"
#include "ast-checks/known_functions.h"
#include "ast-checks/names.h"

namespace agentic::checks {
namespace {

constexpr std::string_view kOnlyArguments = " is not allowed in a kernel; its result may depend on its arguments alone";

} // namespace

void IoAndClocks::statement(const clang::Stmt &statement, Context &context) {
  if (auto use = functionUse(statement, context); use && use->use == Use::Io) {
    context.report(*this, useLocation(statement), "'" + use->name + "'" + std::string(kOnlyArguments));
    return;
  }
  if (llvm::isa<clang::SourceLocExpr>(statement) && !context.isSystemMacro(statement.getBeginLoc())) {
    context.report(*this, statement.getBeginLoc(), "a source location builtin" + std::string(kOnlyArguments));
    return;
  }
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement);
  const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (variable && variable->hasGlobalStorage() && knownVariable(qualifiedName(*variable)) == Known::Io)
    context.report(*this, reference->getLocation(), "'" + qualifiedName(*variable) + "'" + std::string(kOnlyArguments));
}

} // namespace agentic::checks
