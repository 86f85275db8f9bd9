// Notes comparisons of an argument with one size: code for the benchmark's shape alone looks like this.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class LiteralShape : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
