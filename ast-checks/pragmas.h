// Finds pragmas other than those that guide loops.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Pragmas : public Check {
public:
  void text(Context &) override;
  void pragma(const PragmaView &, Context &) override;
};

} // namespace agentic::checks
