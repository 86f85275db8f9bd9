// Finds assembly in any form: statements, file scope, labels on declarations.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class InlineAsm : public Check {
public:
  void token(const clang::Token &, Context &) override;
};

} // namespace agentic::checks
