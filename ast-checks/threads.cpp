#include "ast-checks/threads.h"

#include "ast-checks/context.h"
#include "ast-checks/function_use.h"
#include "ast-checks/known_functions.h"
#include "ast-checks/names.h"
#include "ast-checks/pragma_rules.h"

namespace agentic::checks {
namespace {

constexpr std::string_view kInsteadOfThreads =
    " is not allowed in a kernel; compute in the calling thread, without atomics";

std::string pragmaMessage(const std::string &text) {
  return "pragma '" + pragmaTitle(text) +
         "' is not allowed in a kernel; compute in the calling thread ('omp simd' is allowed)";
}

} // namespace

void Threads::text(Context &context) {
  for (const WrittenPragma &pragma : writtenPragmas(context.lexemes()))
    if (pragma.readable && pragmaKind(pragma.text) == PragmaKind::Threads)
      context.reportAt(*this, pragma.offset, pragmaMessage(pragma.text));
}

void Threads::pragma(const PragmaView &pragma, Context &context) {
  if (pragma.readable && pragmaKind(pragma.text) == PragmaKind::Threads)
    context.reportAt(*this, pragma.offset, pragmaMessage(pragma.text));
}

void Threads::token(const clang::Token &token, Context &context) {
  if (token.isOneOf(clang::tok::kw_co_await, clang::tok::kw_co_return, clang::tok::kw_co_yield, clang::tok::kw__Atomic))
    context.report(*this, token.getLocation(),
                   "'" + std::string(clang::tok::getKeywordSpelling(token.getKind())) + "'" +
                       std::string(kInsteadOfThreads));
}

void Threads::statement(const clang::Stmt &statement, Context &context) {
  if (llvm::isa<clang::AtomicExpr>(statement)) { // __atomic_*, __c11_atomic_*: these name no function
    context.report(*this, statement.getBeginLoc(), "an atomic builtin" + std::string(kInsteadOfThreads));
    return;
  }
  if (auto use = functionUse(statement, context); use && use->use == Use::Thread)
    context.report(*this, useLocation(statement), "'" + use->name + "'" + std::string(kInsteadOfThreads));
}

void Threads::typeLocation(const clang::TypeLoc &location, Context &context) {
  const clang::CXXRecordDecl *record = recordOf(location.getType());
  // `std::` and the name after it are two locations of one type; a template argument was checked where it was written.
  if (!record || location.getType()->isReferenceType() || location.getTypeLocClass() == clang::TypeLoc::Elaborated ||
      location.getTypeLocClass() == clang::TypeLoc::Qualified ||
      location.getTypeLocClass() == clang::TypeLoc::SubstTemplateTypeParm)
    return;
  std::string name = qualifiedName(*record);
  if (knownType(name) == Known::Thread)
    context.report(*this, location.getBeginLoc(), "type '" + name + "'" + std::string(kInsteadOfThreads));
}

} // namespace agentic::checks
