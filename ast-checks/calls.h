// Finds calls of functions that are on no list, and calls that cannot be followed.
#pragma once

#include "ast-checks/check.h"

#include <set>

namespace agentic::checks {

class Calls : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;

private:
  bool judgeUse(const clang::Stmt &, Context &) const;
  std::set<const clang::Stmt *> callees_; ///< visited before their parts
};

} // namespace agentic::checks
