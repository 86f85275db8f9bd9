// Finds dependent code that nothing instantiates, and probes of existence: its effect cannot be known.
#pragma once

#include "ast-checks/check.h"

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace agentic::checks {

class UninstantiatedCode : public Check {
public:
  void declaration(const clang::Decl &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;
  void typeLocation(const clang::TypeLoc &, Context &) override;
  void finish(Context &) override;

private:
  std::vector<const clang::FunctionDecl *> patterns_; ///< code that only an instantiation can judge
  std::set<const clang::FunctionDecl *> instantiated_;
  std::vector<std::pair<std::size_t, std::size_t>> bodies_;
  std::vector<std::size_t> probes_; ///< decltype of something that may not exist
};

} // namespace agentic::checks
