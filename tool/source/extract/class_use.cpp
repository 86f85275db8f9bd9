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
    if (field->getType().isVolatileQualified())
      return stop(member->getMemberLoc(), "reads or writes '" + field->getNameAsString() + "', which is volatile");
    if (!object->isImplicit() && member->getBeginLoc().isMacroID())
      return stop(member->getMemberLoc(),
                  "names '" + field->getNameAsString() + "' of 'this' in a macro; write it out");
    auto found = std::ranges::find(fields, field, &ClassUse::Field::declaration);
    if (found == fields.end())
      found = fields.insert(fields.end(), {field});
    found->isOnlyRead &= isRead(*member);
    if (!object->isImplicit())
      edits_.replace({unit_.offset(member->getBeginLoc()), unit_.offset(member->getMemberLoc())}, "");
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    locals_.push_back(variable);
    return true;
  }
  bool VisitBindingDecl(clang::BindingDecl *binding) {
    locals_.push_back(binding);
    return true;
  }
  /// What the function calls may change the object.
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    calls |= !callee || (callee->getBuiltinID() == 0 && !callee->isInStdNamespace());
    return true;
  }
  bool calls = false;

  /// As parameters, members would be hidden by locals of their names.
  void findHidden() {
    for (const clang::NamedDecl *local : locals_)
      for (const ClassUse::Field &field : fields)
        if (!local->getName().empty() && local->getName() == field.declaration->getName())
          stop(local->getLocation(), "has a local variable and uses a member that are both called '" +
                                         local->getNameAsString() + "'; rename one");
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
    if (place.isMacroID() && !unit_.sources().isMacroArgExpansion(place))
      return stop(place, "uses '" + written + "' of its class through a macro; write it out");
    edits_.insert(unit_.offset(unit_.sources().getSpellingLoc(place)), record->getQualifiedNameAsString() + "::");
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
  std::vector<const clang::NamedDecl *> locals_;
};

/// Returns whether code that writes through a pointer or reference to `type` may write a member of type `field`.
bool mayWrite(clang::QualType type, clang::QualType field) {
  clang::QualType pointee = type->isReferenceType() ? type.getNonReferenceType() : type->getPointeeType();
  if (pointee.isNull())
    return type->isRecordType(); // a view or container
  while (!pointee->getPointeeType().isNull()) {
    if (!pointee.isConstQualified() && field->isPointerType())
      return true;
    pointee = pointee->getPointeeType();
  }
  if (const clang::Type *element = pointee->getBaseElementTypeUnsafe();
      element->isRecordType() || element->isVoidType())
    return true;
  if (pointee.isConstQualified())
    return false;
  const clang::QualType one = pointee.getCanonicalType().getUnqualifiedType(),
                        other = field.getCanonicalType().getUnqualifiedType();
  const bool areIntegers = one->isIntegralOrEnumerationType() && other->isIntegralOrEnumerationType();
  return one == other || one->isCharType() || one->isStdByteType() || areIntegers;
}

bool isWithinReach(const clang::FieldDecl &field, const clang::FunctionDecl &function,
                   const std::vector<ClassUse::Field> &fields) {
  const auto reaches = [&](clang::QualType type) { return mayWrite(type, field.getType()); };
  return std::ranges::any_of(function.parameters(),
                             [&](const clang::ParmVarDecl *parameter) { return reaches(parameter->getType()); }) ||
         std::ranges::any_of(fields, [&](const ClassUse::Field &other) {
           return other.declaration->getType()->isAnyPointerType() && reaches(other.declaration->getType());
         });
}

} // namespace

ClassUse::ClassUse(const ParsedUnit &unit, const clang::FunctionDecl &function, SourceEdits &edits) {
  Visitor visitor(unit, edits);
  visitor.TraverseDecl(const_cast<clang::FunctionDecl *>(&function));
  visitor.findHidden();
  for (Field &field : visitor.fields)
    field.mayChange = visitor.calls || isWithinReach(*field.declaration, function, visitor.fields);
  fields_ = std::move(visitor.fields);
  name_ = std::move(visitor.name);
  problem_ = std::move(visitor.problem);
}

} // namespace agentic
