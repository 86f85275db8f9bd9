#include "ast-checks/unset_memory.h"

#include "ast-checks/context.h"
#include "ast-checks/first_use.h"

#include <algorithm>
#include <array>

namespace agentic::checks {
namespace {

// Clang's own analyses: scalars and vectors, indices that are constants, addresses of what is gone.
constexpr auto kOptions = std::to_array<std::string_view>(
    {"uninitialized", "sometimes-uninitialized", "uninitialized-const-reference", "return-stack-address", "dangling",
     "dangling-gsl", "dangling-assignment", "dangling-initializer-list"});

} // namespace

void UnsetMemory::diagnostic(const DiagnosticView &diagnostic, Context &context) {
  if (std::ranges::find(kOptions, diagnostic.option) != kOptions.end())
    context.reportAt(*this, diagnostic.offset,
                     std::string(diagnostic.text) + ": what is read there was left by others; write it first");
}

void UnsetMemory::declaration(const clang::Decl &decl, Context &context) {
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
  if (!function || !function->doesThisDeclarationHaveABody() || !function->getBody() || function->isDependentContext())
    return;
  for (const UnsetRead &read : unsetReads(*function))
    context.report(*this, read.location,
                   "'" + read.variable->getNameAsString() +
                       "' is read before anything is written to it: the stack holds what earlier calls left; "
                       "initialise it, or write before you read");
}

void UnsetMemory::statement(const clang::Stmt &statement, Context &context) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier() || !callee->getName().starts_with("_mm") ||
      !callee->getName().contains("_undefined") || context.isSystemMacro(call->getBeginLoc()))
    return; // a gather is a macro that has one, and replaces all of it
  context.report(*this, call->getExprLoc(),
                 "'" + callee->getNameAsString() +
                     "' is whatever the register holds, what earlier calls left included; use the setzero form");
}

} // namespace agentic::checks
