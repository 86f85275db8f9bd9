#include "ast-checks/build_mode.h"

#include "ast-checks/context.h"
#include "ast-checks/known_macros.h"

namespace agentic::checks {

void BuildMode::macro(const MacroView &macro, Context &context) {
  const std::string name(macro.name);
  // Other checks handle these, in directives and pragmas.
  if (!context.isCandidate() || isPlaceMacro(name) || isFeatureMacro(name) || name == "_Pragma")
    return;
  if (macro.isPredefined ? !isTargetConstant(name) : isBuildModeMacro(name))
    context.reportAt(*this, macro.offset,
                     "'" + name +
                         "' tells compilers or build modes apart; write code that is the same in every build, and use "
                         "level-feature macros such as __AVX2__ at most");
}

void BuildMode::statement(const clang::Stmt &statement, Context &context) {
  const auto *name = llvm::dyn_cast<clang::PredefinedExpr>(&statement);
  if (name && context.isCandidate() && !context.isSystemMacro(name->getBeginLoc()))
    context.report(*this, name->getBeginLoc(),
                   "'" + name->getIdentKindName().str() + "' tells where code stands; remove it");
}

} // namespace agentic::checks
