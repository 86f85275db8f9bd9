// What the compiler is told to take for granted: it is wrong where the contract does not say so. A note.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Assumptions : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
