// Finds attributes and pragmas that Clang ignores: another compiler may not.
#pragma once

#include "ast-checks/check.h"

#include <cstddef>
#include <string>
#include <vector>

namespace agentic::checks {

class UnknownPragmaOrAttribute : public Check {
public:
  void diagnostic(const DiagnosticView &, Context &) override;
  void finish(Context &) override;

private:
  struct Ignored {
    std::size_t offset;
    std::string text;
  };
  std::vector<Ignored> ignored_;
};

} // namespace agentic::checks
