// Finds the part of a variable that an expression means: `memo.key`, `sums[3]`, `*(int *)&memo`.
#pragma once

#include "clang/AST/Expr.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace agentic::checks {

struct MemoryPath {
  const clang::VarDecl *variable = nullptr;
  std::vector<std::string> steps; ///< ".key", "[3]", "[*]" = any
  bool overlaps(const MemoryPath &other) const;
};

/// The known facts about the variables at one place in a function.
struct Places {
  const clang::ASTContext &ast;
  std::map<const clang::VarDecl *, MemoryPath> pointers; ///< local pointers to known memory
};

/// Returns the path of an lvalue; a pointer parameter counts as the memory that it points to. nullopt: not a known
/// variable's memory.
std::optional<MemoryPath> pathOf(const clang::Expr &lvalue, const Places &places);

/// Returns the path of the memory that a pointer expression points to.
std::optional<MemoryPath> pathBehind(const clang::Expr &pointer, const Places &places);

/// Returns the path reachable through a pointer to a part: one element leads to others.
MemoryPath reachable(MemoryPath path);

} // namespace agentic::checks
