// Finds try, catch and throw: a failure must stay visible to the tests.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class Exceptions : public Check {
public:
  void token(const clang::Token &, Context &) override;
};

} // namespace agentic::checks
