// Checks that the kernel exists, once, defined, with the type of the original.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Signature : public Check {
public:
  void finish(Context &) override;
};

} // namespace agentic::checks
