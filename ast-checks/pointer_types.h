// Finds the type and object that a pointer expression points to, as written: shared by the checks on pointers.
#pragma once

#include "clang/AST/Type.h"

namespace clang {
class ASTContext;
class Expr;
class ValueDecl;
} // namespace clang

namespace agentic::checks {

/// Returns whether the type is a pointer (to data, functions or members), or a class or array that holds one.
bool holdsPointer(clang::QualType type);

/// Returns the type behind the pointer before any cast: `(char *)&x` → the type of x. Null if it is no pointer.
clang::QualType writtenPointee(const clang::Expr &pointer);

/// Returns whether it is a `void *` that came in as a parameter or in an object, not one that was made here.
bool isCallersVoid(const clang::Expr &pointer);

/// Returns the object whose address or first element this is, below casts: `&x` of a variable, an array. Null if there
/// is none, or for a one-element array at the end of a class, which may be longer.
const clang::ValueDecl *objectBehind(const clang::Expr &pointer);

/// Returns whether it is nullptr or 0, below casts.
bool isNull(const clang::Expr &expression, clang::ASTContext &ast);
bool isZero(const clang::Expr &expression, clang::ASTContext &ast);

} // namespace agentic::checks
