// Finds control and non-ASCII characters, which can make text read differently from what it means.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Characters : public Check {
public:
  void text(Context &) override;
};

} // namespace agentic::checks
