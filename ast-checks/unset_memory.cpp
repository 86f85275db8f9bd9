#include "ast-checks/unset_memory.h"

#include "ast-checks/context.h"
#include "ast-checks/first_use.h"

#include <algorithm>
#include <array>
#include <string>

namespace agentic::checks {
namespace {

// Clang's own analyses: scalars and vectors, constant indices, addresses of dead objects.
constexpr auto kUnsetWarnings = std::to_array<std::string_view>(
    {"uninitialized", "sometimes-uninitialized", "uninitialized-const-reference", "return-stack-address", "dangling",
     "dangling-gsl", "dangling-assignment", "dangling-initializer-list"});

/// "_mm256_zextsi128_si256" for "_mm256_castsi128_si256"; empty if it is no cast to a wider vector.
std::string withZeros(llvm::StringRef name) {
  constexpr llvm::StringLiteral kCast = "_cast";
  const std::size_t cast = name.find(kCast);
  if (cast == llvm::StringRef::npos || !name.starts_with("_mm"))
    return {};
  const auto [from, to] = name.substr(cast + kCast.size()).split('_'); // "si128", "si256"
  unsigned fromBits = 0, toBits = 0;
  if (from.size() < 3 || to.size() < 3 || from.drop_front(2).getAsInteger(10, fromBits) ||
      to.drop_front(2).getAsInteger(10, toBits) || fromBits >= toBits)
    return {};
  return (name.substr(0, cast) + "_zext" + from + "_" + to).str();
}

} // namespace

void UnsetMemory::diagnostic(const DiagnosticView &diagnostic, Context &context) {
  if (std::ranges::find(kUnsetWarnings, diagnostic.option) != kUnsetWarnings.end())
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
  if (const auto *shuffle = llvm::dyn_cast<clang::ShuffleVectorExpr>(&statement))
    shuffled(*shuffle, context);
  else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement))
    called(*call, context);
}

void UnsetMemory::shuffled(const clang::ShuffleVectorExpr &shuffle, Context &context) {
  if (shuffle.isValueDependent() || context.isSystemMacro(shuffle.getBeginLoc()))
    return;
  for (unsigned i = 2; i < shuffle.getNumSubExprs(); ++i)
    if (shuffle.getShuffleMaskIdx(context.ast(), i - 2).isAllOnes())
      return context.report(*this, shuffle.getExpr(i)->getExprLoc(),
                            "the element of index -1 is whatever the register holds, what earlier calls left included; "
                            "choose one of the operands'");
}

void UnsetMemory::called(const clang::CallExpr &call, Context &context) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier())
    return;
  const llvm::StringRef name = callee->getName();
  if (name.contains("insert") && call.getNumArgs() > 0)
    completed_ = call.getArg(0)->IgnoreParenCasts();
  if (!name.starts_with("_mm") || context.isSystemMacro(call.getBeginLoc()))
    return; // the macro of a gather has one, and replaces all of it
  if (name.contains("_undefined"))
    context.report(*this, call.getExprLoc(),
                   "'" + name.str() +
                       "' is whatever the register holds, what earlier calls left included; use the setzero form");
  else if (const std::string other = withZeros(name); !other.empty() && completed_ != &call)
    context.report(*this, call.getExprLoc(),
                   "the upper part of '" + name.str() +
                       "' is whatever the register holds, what earlier calls left included; use '" + other +
                       "', which costs nothing");
}

} // namespace agentic::checks
