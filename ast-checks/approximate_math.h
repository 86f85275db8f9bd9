// Notes approximate reciprocals and roots of a few bits.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class ApproximateMath : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
