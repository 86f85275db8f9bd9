// Finds non-temporal stores that are pending when the kernel returns: the caller would pay for them.
#pragma once

#include "ast-checks/check.h"

#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace agentic::checks {

class UnfencedStores : public Check {
public:
  void declaration(const clang::Decl &, Context &) override;
  void finish(Context &) override;

private:
  std::vector<const clang::FunctionDecl *> functions_;
};

} // namespace agentic::checks
