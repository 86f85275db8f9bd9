// Finds preprocessor directives outside a short list, also in skipped blocks, and macros that depend on the place.
#pragma once

#include "ast-checks/check.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace agentic::checks {

class Directives : public Check {
public:
  void text(Context &) override;
  void declaration(const clang::Decl &, Context &) override;
  void finish(Context &) override;

private:
  std::vector<std::pair<std::size_t, std::string>> localDefines_; ///< legal if inside a function
  std::vector<std::pair<std::size_t, std::size_t>> bodies_;       ///< bodies of the functions in the unit
};

} // namespace agentic::checks
