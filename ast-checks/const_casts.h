// Finds casts that make an input writable.
#pragma once

#include "ast-checks/check.h"
#include "ast-checks/read_through.h"

namespace agentic::checks {

class ConstCasts : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;

private:
  ReadThrough reads_;
};

} // namespace agentic::checks
