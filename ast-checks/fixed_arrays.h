// Finds local arrays of a fixed size that a loop indexes up to an argument which nothing bounds: a larger call writes
// behind them, and no test may have one.
#pragma once

#include "ast-checks/check.h"

#include "clang/AST/Expr.h"

#include <map>
#include <set>
#include <vector>

namespace agentic::checks {

class FixedArrays : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;
  void finish(Context &) override;

private:
  struct Element {
    const clang::Expr *expression = nullptr;
    const clang::VarDecl *array = nullptr, *index = nullptr;
    std::uint64_t count = 0;
  };

  void seeComparison(const clang::BinaryOperator &comparison, Context &context);
  void seeCall(const clang::CallExpr &call, Context &context);

  std::vector<Element> elements_;
  std::map<const clang::VarDecl *, const clang::ParmVarDecl *> ends_; ///< indices and the arguments that end them
  std::set<const clang::ValueDecl *> bounded_; ///< variables that are compared with a constant somewhere
};

} // namespace agentic::checks
