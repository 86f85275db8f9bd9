#include "ast-checks/allocation.h"

#include "ast-checks/context.h"
#include "ast-checks/function_use.h"
#include "ast-checks/known_functions.h"
#include "ast-checks/names.h"

namespace agentic::checks {
namespace {

constexpr std::string_view kInsteadOfAllocating =
    " allocates memory; use a local array of fixed size or the caller's buffers";

} // namespace

void Allocation::declaration(const clang::Decl &decl, Context &context) {
  // A container behind a reference or pointer belongs to the caller.
  const auto *value = llvm::dyn_cast<clang::ValueDecl>(&decl);
  if (!value || !(llvm::isa<clang::VarDecl>(value) || llvm::isa<clang::FieldDecl>(value)))
    return;
  const clang::CXXRecordDecl *record = value->getType()->isReferenceType() ? nullptr : recordOf(value->getType());
  if (record && knownType(qualifiedName(*record)) == Known::Allocation)
    context.report(*this, value->getLocation(),
                   "'" + value->getNameAsString() + "' of type '" + qualifiedName(*record) + "'" +
                       std::string(kInsteadOfAllocating));
}

void Allocation::statement(const clang::Stmt &statement, Context &context) {
  if (llvm::isa<clang::CXXNewExpr>(statement) || llvm::isa<clang::CXXDeleteExpr>(statement)) {
    bool isNew = llvm::isa<clang::CXXNewExpr>(statement);
    context.report(*this, statement.getBeginLoc(), (isNew ? "'new'" : "'delete'") + std::string(kInsteadOfAllocating));
    return;
  }
  if (auto use = functionUse(statement, context); use && use->use == Use::Allocation)
    context.report(*this, useLocation(statement), "'" + use->name + "'" + std::string(kInsteadOfAllocating));
}

} // namespace agentic::checks
