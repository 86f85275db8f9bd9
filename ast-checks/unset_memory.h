// Memory that is read before the kernel wrote it: what the stack still holds of the last call.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class UnsetMemory : public Check {
public:
  void diagnostic(const DiagnosticView &, Context &) override;
  void declaration(const clang::Decl &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;
};

} // namespace agentic::checks
