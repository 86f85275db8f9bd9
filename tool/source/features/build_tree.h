// Makes the tree of a kernel from its AST. Includes Clang.
#pragma once

#include "tool/source/features/tree.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <string>

namespace agentic::features {

/// `text` is the kernel's, which begins at `begin` of the unit.
Tree buildTree(const clang::ASTContext &context, const clang::FunctionDecl &function, const std::string &text,
               std::size_t begin);

} // namespace agentic::features
