// A function's body as a tree with ways up, and everything that sets its local variables.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <map>
#include <vector>

namespace agentic::checks {

/// What the body does with one local variable or parameter.
struct LocalUse {
  std::vector<const clang::Expr *> definitions; ///< initialiser, `x = y`, `x += 3`, `++x`; the whole expression
  std::vector<const clang::DeclRefExpr *> references;
  bool isEscaped = false; ///< something else may set it, too: its address is taken, a reference or a lambda holds it
};

/// Built once, in one walk: linear in the body.
class KernelBody {
public:
  explicit KernelBody(const clang::FunctionDecl &function);

  const clang::FunctionDecl &function() const { return function_; }
  /// Returns whether the function itself evaluates the statement: not a lambda in it, nor a statement expression.
  bool evaluates(const clang::Stmt &statement) const;
  /// Returns the statement around it, parentheses left out; null for the body.
  const clang::Stmt *around(const clang::Stmt &statement) const;
  /// Returns the variable that an initialiser is for; null if it is none.
  const clang::VarDecl *initialised(const clang::Expr &initialiser) const;
  /// Returns whether nothing reads the expression's value.
  bool isDiscarded(const clang::Expr &expression) const;
  /// Returns null if it is no parameter and no automatic variable of the body.
  const LocalUse *local(const clang::ValueDecl &variable) const;
  const std::map<const clang::VarDecl *, LocalUse> &locals() const { return locals_; }

private:
  struct Place {
    const clang::Stmt *parent = nullptr;
    bool isApart = false; ///< inside a lambda or a statement expression
  };
  void walk(const clang::Stmt &statement, const clang::Stmt *parent, bool isApart);
  void seeReference(const clang::DeclRefExpr &reference);
  bool isRead(const clang::Expr &lvalue) const;

  const clang::FunctionDecl &function_;
  std::map<const clang::Stmt *, Place> places_;
  std::map<const clang::Expr *, const clang::VarDecl *> initialised_;
  std::map<const clang::VarDecl *, LocalUse> locals_;
};

} // namespace agentic::checks
