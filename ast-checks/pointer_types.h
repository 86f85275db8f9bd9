// What a pointer expression points to, as it was written: questions that the checks on pointers share.
#pragma once

#include "clang/AST/Type.h"

namespace clang {
class ASTContext;
class Expr;
class ValueDecl;
} // namespace clang

namespace agentic::checks {

/// The type is a pointer (to data, functions or members), or a class or array that holds one.
bool holdsPointer(clang::QualType type);

/// What the expression points to before any cast: `(char *)&x` → the type of x. Null if it is no pointer.
clang::QualType writtenPointee(const clang::Expr &pointer);

/// A `void *` that came in as a parameter or in an object, and not one that was made here.
bool isCallersVoid(const clang::Expr &pointer);

/// The object whose address or first element this is, below casts: `&x` of a variable, an array. Null if it is none,
/// or an array of one at the end of a class, which stands for more.
const clang::ValueDecl *objectBehind(const clang::Expr &pointer);

/// nullptr or 0, below casts.
bool isNull(const clang::Expr &expression, clang::ASTContext &ast);
bool isZero(const clang::Expr &expression, clang::ASTContext &ast);

} // namespace agentic::checks
