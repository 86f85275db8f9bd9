// Calls of functions that are on no list, and calls that cannot be followed.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Calls : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
