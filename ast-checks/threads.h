// Finds threads, atomics, locks, coroutines, OpenMP regions: all work must be done when the call returns.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Threads : public Check {
public:
  void text(Context &) override;
  void token(const clang::Token &, Context &) override;
  void pragma(const PragmaView &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;
  void typeLocation(const clang::TypeLoc &, Context &) override;
};

} // namespace agentic::checks
