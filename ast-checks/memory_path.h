// Which part of which variable an expression means: `memo.key`, `sums[3]`, `*(int *)&memo`.
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

/// What is known of the variables at one place in a function.
struct Places {
  const clang::ASTContext &ast;
  std::map<const clang::VarDecl *, MemoryPath> pointers; ///< local pointers to known memory
};

/// What an lvalue means; a pointer parameter stands for what it points to. nullopt: not a known variable's memory.
std::optional<MemoryPath> pathOf(const clang::Expr &lvalue, const Places &places);

/// What a pointer expression points to.
std::optional<MemoryPath> pathBehind(const clang::Expr &pointer, const Places &places);

/// A part that is pointed to: from one element others are reached.
MemoryPath reachable(MemoryPath path);

} // namespace agentic::checks
