// Finds variables that keep their value between calls: a kernel must compute, not remember.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class StateOutlivesCall : public Check {
public:
  void declaration(const clang::Decl &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
