// Finds declarations of a candidate that are not its own: foreign namespaces, names that other units see.
#pragma once

#include "ast-checks/check.h"

namespace agentic::checks {

class DeclarationsOutside : public Check {
public:
  void declaration(const clang::Decl &, Context &) override;
};

} // namespace agentic::checks
