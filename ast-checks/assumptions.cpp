#include "ast-checks/assumptions.h"

#include "ast-checks/context.h"
#include "ast-checks/names.h"

#include <algorithm>
#include <array>

namespace agentic::checks {
namespace {

constexpr auto kNames = std::to_array<std::string_view>({"__builtin_assume", "__builtin_unreachable",
                                                         "std::unreachable", "__builtin_assume_aligned",
                                                         "std::assume_aligned", "__builtin_assume_separate_storage"});

} // namespace

void Assumptions::statement(const clang::Stmt &statement, Context &context) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee)
    return;
  const std::string name = qualifiedName(*callee);
  if (std::ranges::find(kNames, name) != kNames.end() && !context.isSystemMacro(call->getBeginLoc()))
    context.report(*this, call->getExprLoc(),
                   "'" + name + "' is believed, not checked: what it says must follow from the contract or the code");
}

} // namespace agentic::checks
