// Memory that is read before the kernel wrote it: what the stack still holds of the last call.
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
  const clang::Expr *completed_ = nullptr; ///< a vector of which an insertion that is being looked at sets the rest
};

} // namespace agentic::checks
