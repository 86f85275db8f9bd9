// Notes assumptions for the compiler: they are wrong where the contract does not declare them.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Assumptions : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
