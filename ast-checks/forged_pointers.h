// Finds pointers that the kernel was not given: made of integers, unions and bytes, or by leaving a variable.
#pragma once

#include "ast-checks/check.h"
#include "ast-checks/read_through.h"

namespace agentic::checks {

class ForgedPointers : public Check {
public:
  void declaration(const clang::Decl &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;

private:
  ReadThrough reads_;
};

} // namespace agentic::checks
