#include "tool/source/nest/walk.h"

#include <algorithm>

namespace agentic::moves {
namespace {

using namespace clang;

bool holdsMacro(const Stmt *source) {
  return source && (source->getBeginLoc().isMacroID() || source->getEndLoc().isMacroID() ||
                    std::ranges::any_of(source->children(), holdsMacro));
}

/// Returns the only variable of a declaration if its value could as well be assigned afterwards.
const VarDecl *assignable(const Stmt *source, const VariableUses &uses) {
  const auto *declaration = dyn_cast<DeclStmt>(source);
  const auto *variable =
      declaration && declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
  if (!variable || !variable->hasInit() || variable->getInitStyle() != VarDecl::CInit || !variable->hasLocalStorage() ||
      uses.escaping.contains(variable))
    return nullptr;
  const QualType type = variable->getType();
  return type->isScalarType() && !type.isVolatileQualified() && !type->isAtomicType() ? variable : nullptr;
}

} // namespace

std::vector<WalkStatement> statementsOf(const WalkContext &known, const Stmt &body, std::string_view text) {
  std::vector<WalkStatement> statements;
  const auto *block = dyn_cast<CompoundStmt>(&body);
  if (!block)
    return {};
  for (const Stmt *source : block->body()) {
    const auto range = known.map.range(source->getSourceRange());
    if (range && isa<NullStmt>(source) && !holdsMacro(source)) {
      if (!statements.empty())
        statements.back().range.end = range->end;
      continue;
    }
    if (!range || (!statements.empty() && range->begin < statements.back().range.end))
      return {};
    WalkStatement statement{.range = *range, .hasMacro = holdsMacro(source)};
    if (const std::size_t next = text.find_first_not_of(" \t\n", range->end);
        next != std::string_view::npos && text[next] == ';' && text[range->end - 1] != ';')
      statement.range.end = next + 1;
    if (const VarDecl *variable = assignable(source, known.uses))
      if (const auto name = known.map.offset(variable->getLocation())) {
        statement.declares = variable->getNameAsString();
        statement.declaredType = variable->getType().getCanonicalType().getAsString(known.symbols.policy());
        statement.declaredName = *name;
        statement.hasMacro |= holdsMacro(variable->getInit());
      }
    statements.push_back(std::move(statement));
  }
  return statements;
}

} // namespace agentic::moves
