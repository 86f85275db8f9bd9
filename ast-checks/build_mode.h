// Macros and names that tell which compiler, build mode or place code is in.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class BuildMode : public Check {
public:
  void macro(const MacroView &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
