// Finds input, output, clocks, process control and means to tell the evaluation from the shipped build.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class IoAndClocks : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
