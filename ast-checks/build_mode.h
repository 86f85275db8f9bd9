// Finds macros and names that reveal the compiler, the build mode or the place of the code.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class BuildMode : public Check {
public:
  void macro(const MacroView &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
