// Finds the arrays that a pointer may lead into, from its computation, in any order of statements.
//
// A parameter, an array, a variable whose address is taken are bases. A local pointer has the bases of its initialiser
// and of all its assignments, a field those of everything stored in it, a call those of its pointer arguments and, for
// functions of the unit, of their results.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <map>
#include <set>
#include <vector>

namespace agentic::checks {

/// A Decl, or an Expr that is a base itself.
using Base = const void *;

/// Reduces `*p`, `p[i]`, `p + n`, `&x`, `(T *)p` to p or x; a member or a variable ends it.
const clang::Expr *pointerRoot(const clang::Expr *expression);

/// Returns the variable that an expression names, perhaps converted; null if it is anything else.
const clang::VarDecl *variableOf(const clang::Expr &expression);

/// Gets every declaration and statement; answers after all of them.
class PointerBases {
public:
  void see(const clang::Decl &decl);
  void see(const clang::Stmt &statement);

  /// Returns the bases of a pointer, or of an object that holds some. Linear in the code behind it.
  std::map<Base, const clang::ValueDecl *> of(const clang::Expr &pointer) const; ///< with its variable, if it is one

  /// Returns whether it is the beginning of an array as the caller passed it or as it is declared, or a local copy of
  /// such a pointer: nothing was added.
  bool isBeginning(const clang::Expr &pointer) const;

  /// Returns the arguments for a parameter of the unit's function, one per call; null for a call that passes none.
  std::vector<const clang::Expr *> passedFor(const clang::ParmVarDecl &parameter) const;

private:
  class Search;
  void add(const clang::Expr &target, const clang::Expr &source);
  void call(const clang::CallExpr &call);
  void construct(const clang::CXXConstructExpr &construct);
  void list(const clang::InitListExpr &list);

  std::map<const clang::ValueDecl *, std::set<const clang::Expr *>> sources_;
  std::set<const clang::ValueDecl *> moved_; ///< by `++p` and `p += n`
  std::map<const clang::FunctionDecl *, std::vector<std::vector<const clang::Expr *>>> calls_; ///< arguments
};

} // namespace agentic::checks
