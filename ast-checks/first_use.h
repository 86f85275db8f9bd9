// Local arrays and objects that are read before anything can have written them. Clang's warnings follow scalars and
// vectors only.
//
// A function is walked in the order of evaluation, loops once, all branches as if taken: what is written anywhere
// before counts as written. So `float sums[32]` with a loop that fills it and one that reads is fine, and only a read
// that nothing precedes is found. Where an address goes that cannot be followed, the variable counts as written.
#pragma once

#include "clang/AST/Decl.h"

#include <vector>

namespace agentic::checks {

struct UnsetRead {
  const clang::VarDecl *variable = nullptr;
  clang::SourceLocation location;
};

/// The first such read of each part of each local variable. Looks into functions of the unit and lambdas that are
/// called with the address. Linear but for these: each is walked once for every call, to a depth of 6.
std::vector<UnsetRead> unsetReads(const clang::FunctionDecl &function);

} // namespace agentic::checks
