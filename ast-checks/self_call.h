// Finds calls of the kernel itself: a candidate must not measure the baseline, a baseline must not recurse.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class SelfCall : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
