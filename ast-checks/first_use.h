// Finds local arrays and objects that are read before anything can have written them. Clang's warnings follow scalars
// and vectors only.
//
// A function is walked in the order of evaluation, loops once, all branches as if taken: an earlier write anywhere
// counts. So `float sums[32]` with a loop that fills it and one that reads is fine, and only a read without an earlier
// write is found. If an address goes to a place that cannot be followed, the variable counts as written.
#pragma once

#include "clang/AST/Decl.h"

#include <vector>

namespace agentic::checks {

struct UnsetRead {
  const clang::VarDecl *variable = nullptr;
  clang::SourceLocation location;
};

/// Returns the first such read of each part of each local variable. Enters functions of the unit and lambdas that are
/// called with the address. Linear but for these: each is walked once for every call, to a depth of 6.
std::vector<UnsetRead> unsetReads(const clang::FunctionDecl &function);

} // namespace agentic::checks
