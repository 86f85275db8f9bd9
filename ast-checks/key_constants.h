// Constants that data are compared with and that neither a type nor the baseline has: code that knows the benchmark's
// contents looks like this. A note.
#pragma once

#include "ast-checks/check.h"

#include "clang/AST/Expr.h"

#include <set>
#include <string>
#include <vector>

namespace agentic::checks {

class KeyConstants : public Check {
public:
  void declaration(const clang::Decl &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;
  void finish(Context &) override;

private:
  struct Comparison {
    clang::SourceLocation location;
    std::vector<const clang::Expr *> sides;
    bool isOfBytes = false; ///< memcmp: its pointers lead to data
  };
  class Baseline;

  bool readsData(const clang::Stmt &expression) const;
  void collect(const clang::Expr &expression, const Baseline &baseline, Context &context,
               std::vector<std::string> &keys) const;
  void seeCall(const clang::CallExpr &call, const Context &context);
  void taint(const clang::Expr &target);

  std::set<const clang::ValueDecl *> data_; ///< local variables that hold what was read
  std::vector<Comparison> comparisons_;
};

} // namespace agentic::checks
