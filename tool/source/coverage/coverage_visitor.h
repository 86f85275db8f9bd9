// The code that both visitors of coverage skip: everything that the compiler evaluates. Includes Clang.
#pragma once

#include "tool/source/coverage/coverage_ast.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Builtins.h>

namespace agentic::coverage {

template <class Derived> class RunTimeVisitor : public clang::RecursiveASTVisitor<Derived> {
public:
  bool TraverseType(clang::QualType) { return true; }
  bool TraverseTypeLoc(clang::TypeLoc) { return true; }
  bool TraverseAttr(clang::Attr *) { return true; }
  bool TraverseTemplateArgument(const clang::TemplateArgument &) { return true; }
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc &) { return true; }
  bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc) { return true; }
  bool TraverseTemplateTypeParmDecl(clang::TemplateTypeParmDecl *) { return true; }
  bool TraverseNonTypeTemplateParmDecl(clang::NonTypeTemplateParmDecl *) { return true; }
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl *) { return true; }
  bool TraverseConceptDecl(clang::ConceptDecl *) { return true; }
  bool TraverseEnumConstantDecl(clang::EnumConstantDecl *) { return true; }
  bool TraverseFieldDecl(clang::FieldDecl *) { return true; }
  bool TraverseParmVarDecl(clang::ParmVarDecl *) { return true; }
  bool TraverseConstantExpr(clang::ConstantExpr *) { return true; }
  bool TraverseRequiresExpr(clang::RequiresExpr *) { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) { return true; }
  /// Skips calls that are never evaluated, or must not be given side effects.
  bool TraverseCallExpr(clang::CallExpr *call) {
    const unsigned builtin = call->getBuiltinCallee();
    return builtin == clang::Builtin::BI__builtin_assume || builtin == clang::Builtin::BI__builtin_constant_p ||
           clang::RecursiveASTVisitor<Derived>::TraverseCallExpr(call);
  }
};

} // namespace agentic::coverage
