// Notes where a candidate computes in a narrower type than the baseline does.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class NarrowedType : public Check {
public:
  void text(Context &) override;
};

} // namespace agentic::checks
