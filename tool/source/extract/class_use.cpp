#include "tool/source/extract/class_use.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

#include <algorithm>
#include <set>

namespace agentic {
namespace {

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
public:
  Visitor(const ParsedUnit &unit, SourceEdits &edits) : unit_(unit), edits_(edits) {}

  std::vector<ClassUse::Field> fields;
  std::string name, problem;

  bool VisitMemberExpr(clang::MemberExpr *member) {
    const auto *object = llvm::dyn_cast<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
    if (!object)
      return true;
    objects_.insert(object);
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!field)
      return stop(member->getMemberLoc(), "calls '" + member->getMemberDecl()->getNameAsString() +
                                              "' of its object; call it before, and pass the result");
    auto found = std::ranges::find(fields, field, &ClassUse::Field::declaration);
    if (found == fields.end())
      found = fields.insert(fields.end(), {field});
    found->isOnlyRead &= isRead(*member);
    if (!object->isImplicit())
      edits_.replace({unit_.offset(member->getBeginLoc()), unit_.offset(member->getMemberLoc())}, "");
    return true;
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr *object) {
    return objects_.contains(object) || stop(object->getLocation(), "uses 'this' itself; pass the members it needs");
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    // An operator of an object, `a[i]`: it is found through the object, and has no name in the text.
    if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(reference->getDecl()); method && method->isInstance())
      return true;
    return reference->hasQualifier() || seeName(*reference->getDecl(), reference->getLocation());
  }
  bool TraverseElaboratedTypeLoc(clang::ElaboratedTypeLoc type) {
    return type.getQualifierLoc() || RecursiveASTVisitor::TraverseElaboratedTypeLoc(type);
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) { return seeName(*type.getDecl(), type.getBeginLoc()); }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) {
    return seeName(*type.getTypedefNameDecl(), type.getBeginLoc());
  }

private:
  bool isRead(const clang::MemberExpr &member) const {
    const auto parents = unit_.context.getParents(member);
    const auto *cast = parents.empty() ? nullptr : parents[0].get<clang::ImplicitCastExpr>();
    return cast && cast->getCastKind() == clang::CK_LValueToRValue;
  }

  bool seeName(const clang::NamedDecl &declaration, clang::SourceLocation place) {
    const auto *record = llvm::dyn_cast<clang::RecordDecl>(declaration.getDeclContext()->getRedeclContext());
    if (!record || record->getParentFunctionOrMethod() || record->isLambda())
      return true;
    const std::string written = declaration.getNameAsString();
    if (name.empty())
      name = written;
    if (declaration.getAccess() == clang::AS_private || declaration.getAccess() == clang::AS_protected)
      return stop(place, "uses '" + written + "', which only its class can name; make it public, or pass its value");
    if (place.isFileID())
      edits_.insert(unit_.offset(place), record->getQualifiedNameAsString() + "::");
    return true;
  }

  bool stop(clang::SourceLocation place, const std::string &what) {
    if (problem.empty())
      problem = unit_.position(place) + "it " + what;
    return false;
  }

  const ParsedUnit &unit_;
  SourceEdits &edits_;
  std::set<const clang::CXXThisExpr *> objects_;
};

} // namespace

ClassUse::ClassUse(const ParsedUnit &unit, const clang::FunctionDecl &function, SourceEdits &edits) {
  Visitor visitor(unit, edits);
  visitor.TraverseDecl(const_cast<clang::FunctionDecl *>(&function));
  fields_ = std::move(visitor.fields);
  name_ = std::move(visitor.name);
  problem_ = std::move(visitor.problem);
}

} // namespace agentic
