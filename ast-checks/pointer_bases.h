// Which arrays a pointer may lead into: what it was computed from, whatever the order of statements.
//
// A parameter, an array, a variable whose address is taken are bases; a local pointer has those of its initialiser and
// of all that is assigned to it, a field those of what is stored in it anywhere, a call those of its pointer arguments
// and, for functions of the unit, of what they return.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <map>
#include <set>
#include <vector>

namespace agentic::checks {

/// A Decl, or an Expr that stands for itself.
using Base = const void *;

/// Shown every declaration and statement; asked when all have been seen.
class PointerBases {
public:
  void see(const clang::Decl &decl);
  void see(const clang::Stmt &statement);

  /// Of a pointer, or of an object that holds some. Linear in the code behind it.
  std::map<Base, const clang::ValueDecl *> of(const clang::Expr &pointer) const; ///< with its variable, if it is one

  /// Returns whether it is the beginning of an array as the caller passed it or as it is declared, or a local copy of
  /// such a pointer: nothing was added.
  bool isBeginning(const clang::Expr &pointer) const;

  /// What is passed for a parameter of a function of the unit, call by call; null where nothing is.
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
