// Finds memory that is read before the kernel wrote it: the stack still has values of the last call.
#pragma once

#include "ast-checks/check.h"

namespace clang {
class CallExpr;
class Expr;
class ShuffleVectorExpr;
} // namespace clang

namespace agentic::checks {

class UnsetMemory : public Check {
public:
  void diagnostic(const DiagnosticView &, Context &) override;
  void declaration(const clang::Decl &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;

private:
  void shuffled(const clang::ShuffleVectorExpr &shuffle, Context &context);
  void called(const clang::CallExpr &call, Context &context);
  const clang::Expr *completed_ = nullptr; ///< the vector of the insertion in progress, which sets the rest
};

} // namespace agentic::checks
