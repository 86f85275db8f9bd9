// Finds heap allocation: its time is random, and its memory may still hold an earlier result.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Allocation : public Check {
public:
  void declaration(const clang::Decl &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
