// Finds headers outside a short list, before the unit is parsed, so that none of them is opened.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Includes : public Check {
public:
  void text(Context &) override;
};

} // namespace agentic::checks
