// Collects everything that the kernel refers to, transitively: declarations of SOURCE are copied with the kernel, the
// rest is noted.
#include "tool/source/extract/extract_unit.h"

#include "tool/base/text.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"

#include <algorithm>

namespace agentic {
namespace {

Fragment::Kind kindOf(const clang::Decl &declaration) {
  if (llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl, clang::LinkageSpecDecl>(declaration))
    return Fragment::Kind::Function;
  if (llvm::isa<clang::VarDecl, clang::VarTemplateDecl>(declaration))
    return Fragment::Kind::Constant;
  if (llvm::isa<clang::TagDecl, clang::ClassTemplateDecl, clang::ConceptDecl>(declaration))
    return Fragment::Kind::Type;
  return Fragment::Kind::Using;
}

class Collector : public clang::RecursiveASTVisitor<Collector> {
public:
  Collector(const ParsedUnit &unit, const clang::FunctionDecl &kernel, Closure &closure)
      : unit_(unit), kernel_(kernel), kernelRange_(unit.declarationRange(kernel)), closure_(closure),
        names_(unit.context) {}

  bool shouldVisitImplicitCode() const { return true; } // range-for calls begin() and end()

  void collect() {
    inSignature_ = true;
    TraverseTypeLoc(kernel_.getFunctionTypeLoc().getReturnLoc());
    for (const clang::ParmVarDecl *parameter : kernel_.parameters())
      TraverseTypeLoc(parameter->getTypeSourceInfo()->getTypeLoc());
    inSignature_ = false;
    TraverseDecl(const_cast<clang::FunctionDecl *>(&kernel_));
    addUsingDirectives(unit_.context.getTranslationUnitDecl());
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *expression) {
    need(expression->getFoundDecl());
    need(expression->getDecl());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *expression) {
    need(expression->getMemberDecl());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *expression) {
    need(expression->getConstructor());
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr *expression) {
    for (const clang::NamedDecl *declaration : expression->decls())
      need(declaration);
    return true;
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc location) {
    need(location.getDecl());
    return true;
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc location) {
    need(location.getTypedefNameDecl());
    return true;
  }
  bool VisitUsingTypeLoc(clang::UsingTypeLoc location) {
    need(location.getFoundDecl());
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc location) {
    need(location.getTypePtr()->getTemplateName().getAsTemplateDecl());
    return true;
  }
  bool VisitDeducedTemplateSpecializationTypeLoc(clang::DeducedTemplateSpecializationTypeLoc location) {
    need(location.getTypePtr()->getTemplateName().getAsTemplateDecl());
    return true;
  }
  bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc location) {
    if (location)
      need(location.getNestedNameSpecifier()->getAsNamespaceAlias());
    return RecursiveASTVisitor::TraverseNestedNameSpecifierLoc(location);
  }

private:
  void need(const clang::Decl *declaration) {
    if (!declaration || declaration->getParentFunctionOrMethod() ||
        llvm::isa<clang::NamespaceDecl, clang::TranslationUnitDecl, clang::TemplateTypeParmDecl,
                  clang::NonTypeTemplateParmDecl, clang::TemplateTemplateParmDecl>(declaration))
      return;
    if (const auto *shadow = llvm::dyn_cast<clang::UsingShadowDecl>(declaration)) {
      need(shadow->getIntroducer());
      return need(shadow->getTargetDecl());
    }
    if (!done_.insert({declaration->getCanonicalDecl(), inSignature_}).second)
      return;
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      return needFunction(*function);
    if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration))
      if (const clang::CXXRecordDecl *pattern = record->getTemplateInstantiationPattern())
        declaration = pattern;
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration))
      return needVariable(*variable);
    if (const auto *enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(declaration))
      closure_.constants.insert(enumerator);
    addRedeclarations(*declaration);
  }

  void needFunction(const clang::FunctionDecl &function) {
    if (function.getCanonicalDecl() == kernel_.getCanonicalDecl())
      return;
    if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function))
      need(method->getParent());
    if (function.isImplicit() && llvm::isa<clang::CXXMethodDecl>(function))
      return;
    const clang::FunctionDecl *pattern = function.getTemplateInstantiationPattern();
    const clang::FunctionDecl *written = pattern ? pattern : &function;
    const clang::FunctionDecl *definition = written->getDefinition();
    if (definition && unit_.isInSource(definition->getLocation()) && isCopyable(*definition)) {
      // The calls in a template's body are known only at instantiation.
      if (pattern && function.hasBody())
        TraverseStmt(function.getBody());
      return addRedeclarations(*written);
    }
    addExternal(function);
    // A prototype of SOURCE's own is repeated at its place: elsewhere it would declare another function.
    const bool onlyHere = std::ranges::all_of(
        written->redecls(), [&](const clang::FunctionDecl *other) { return unit_.isInSource(other->getLocation()); });
    if (!onlyHere || definition || llvm::isa<clang::CXXMethodDecl>(function))
      return;
    const bool before = std::exchange(inSignature_, true);
    addRedeclarations(*written);
    inSignature_ = before;
  }

  /// A copy could compete in overload resolution with the header's declaration, if an argument's own namespace makes it
  /// visible again, or hide its default arguments; then the project's own function is called.
  bool isCopyable(const clang::FunctionDecl &definition) {
    if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&definition))
      return !method->isOutOfLine() || !signatureTypes_.contains(method->getParent()->getCanonicalDecl());
    bool inHeader = false, hasDefaults = false;
    for (const clang::FunctionDecl *other : definition.redecls()) {
      if (unit_.isInSource(other->getLocation()))
        continue;
      inHeader = true;
      hasDefaults |= std::ranges::any_of(other->parameters(), [](const auto *p) { return p->hasDefaultArg(); });
    }
    const bool hasOwnTypes = std::ranges::any_of(definition.parameters(), [](const clang::ParmVarDecl *parameter) {
      clang::QualType type = parameter->getType().getNonReferenceType();
      while (!type->getPointeeType().isNull())
        type = type->getPointeeType();
      return type->isRecordType() || type->isEnumeralType();
    });
    return !inHeader || (!hasDefaults && !hasOwnTypes);
  }

  void needVariable(const clang::VarDecl &variable) {
    closure_.constants.insert(&variable);
    const clang::VarDecl *pattern = variable.getTemplateInstantiationPattern();
    const clang::VarDecl &written = pattern ? *pattern : variable;
    const clang::VarDecl *definition = written.getDefinition(unit_.context);
    if (!unit_.isInSource(written.getLocation()) && !(definition && unit_.isInSource(definition->getLocation())))
      return addProjectHeader(unit_, written.getLocation(), closure_.headers);
    if (definition && !written.isConstexpr() && !written.getType().isConstant(unit_.context)) {
      const LineColumn place = lineColumn(unit_.lexed.text, unit_.offset(definition->getLocation()));
      closure_.findings.push_back(
          {"state-outlives-call", unit_.request.source, place.line, place.column,
           "variable '" + written.getNameAsString() +
               "' can change between calls, and a variant would have a copy of its own; make it " +
               (unit_.isC() ? "const, or pass it to the kernel as a parameter"
                            : "const or constexpr, or pass it to the kernel as a parameter")});
    }
    const bool before = std::exchange(inSignature_, inSignature_ || !definition);
    addRedeclarations(written);
    inSignature_ = before;
  }

  void addRedeclarations(const clang::Decl &declaration) {
    bool local = false;
    for (const clang::Decl *other : declaration.redecls())
      if (unit_.isInSource(other->getLocation())) {
        addFragment(*other);
        local = true;
      }
    if (!local)
      addProjectHeader(unit_, declaration.getLocation(), closure_.headers);
  }

  /// Returns the declaration at namespace scope that holds `declaration`.
  static const clang::Decl &outermost(const clang::Decl &declaration, bool withLinkage) {
    const clang::Decl *result = &declaration;
    while (const clang::DeclContext *context = result->getLexicalDeclContext()) {
      const bool isLinkage = withLinkage && context->getDeclKind() == clang::Decl::LinkageSpec;
      if (context->isFileContext() || (context->getDeclKind() == clang::Decl::LinkageSpec && !isLinkage))
        break;
      result = llvm::cast<clang::Decl>(context);
    }
    if (const clang::TemplateDecl *description = result->getDescribedTemplate())
      return *description;
    return *result;
  }

  /// A type that a header declares and SOURCE defines is the same one only in its own namespace, and so is what its
  /// definition needs.
  bool isDeclaredInHeader(const clang::Decl &declaration) const {
    return llvm::isa<clang::TagDecl, clang::ClassTemplateDecl>(declaration) &&
           !std::ranges::all_of(declaration.redecls(),
                                [&](const clang::Decl *other) { return unit_.isInSource(other->getLocation()); });
  }

  void addFragment(const clang::Decl &inner) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&inner);
    const clang::Decl &declaration = outermost(inner, function && !function->getDefinition());
    const bool before = std::exchange(inSignature_, inSignature_ || isDeclaredInHeader(declaration));
    addOutermost(declaration);
    inSignature_ = before;
  }

  void addOutermost(const clang::Decl &declaration) {
    const ByteRange range = unit_.declarationRange(declaration);
    if (range.begin < kernelRange_.end && kernelRange_.begin < range.end)
      return;
    for (std::size_t i = 0; i < closure_.ranges.size(); ++i)
      if (closure_.ranges[i].begin == range.begin) {
        // The signature's own pass came before; `int a, b;` is one fragment.
        closure_.ranges[i].end = std::max(closure_.ranges[i].end, range.end);
        closure_.fragments[i].inSignature |= inSignature_;
        return traverse(declaration);
      }
    Fragment fragment;
    fragment.kind = kindOf(declaration);
    if (const auto *named = llvm::dyn_cast<clang::NamedDecl>(&declaration))
      fragment.name = named->getQualifiedNameAsString();
    fragment.namespaces = ParsedUnit::namespacesOf(declaration.getLexicalDeclContext());
    fragment.inSignature = inSignature_;
    closure_.fragments.push_back(std::move(fragment));
    closure_.ranges.push_back(range);
    traverse(declaration);
  }

  void traverse(const clang::Decl &declaration) {
    if (!traversed_.insert({&declaration, inSignature_}).second)
      return;
    TraverseDecl(const_cast<clang::Decl *>(&declaration));
    if (const auto *function = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration))
      addSpecializations(function->specializations());
    if (const auto *record = llvm::dyn_cast<clang::ClassTemplateDecl>(&declaration))
      addSpecializations(record->specializations());
    const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(&declaration);
    if (!record || !record->isThisDeclarationADefinition())
      return;
    if (inSignature_)
      signatureTypes_.insert(record->getCanonicalDecl());
    for (const clang::CXXMethodDecl *method : record->methods())
      if (const clang::FunctionDecl *definition = method->getDefinition();
          definition && definition->isOutOfLine() && !inSignature_)
        need(definition);
  }

  template <class Range> void addSpecializations(const Range &specializations) {
    for (const auto *specialization : specializations)
      if (specialization->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization &&
          unit_.isInSource(specialization->getLocation()))
        addFragment(*specialization);
  }

  void addExternal(const clang::FunctionDecl &function) {
    addProjectHeader(unit_, function.getLocation(), closure_.headers);
    ExternalFunction external;
    external.name = function.getQualifiedNameAsString();
    const bool isBuiltin = function.getBuiltinID() != 0 && external.name.starts_with("__");
    if (!isBuiltin && !function.isTemplated() && !function.getType()->isDependentType())
      external.mangled = names_.getName(&function);
    const bool known = std::ranges::any_of(closure_.externals, [&](const ExternalFunction &other) {
      return other.name == external.name && other.mangled == external.mangled;
    });
    if (!known)
      closure_.externals.push_back(std::move(external));
  }

  void addUsingDirectives(const clang::DeclContext *context) {
    for (const clang::Decl *declaration : context->decls()) {
      if (!unit_.isInSource(declaration->getLocation()) ||
          unit_.offset(declaration->getLocation()) > kernelRange_.begin)
        continue;
      if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
        addUsingDirectives(llvm::cast<clang::DeclContext>(declaration));
      const auto *directive = llvm::dyn_cast<clang::UsingDirectiveDecl>(declaration);
      if (directive && !directive->isImplicit() && existsInUnit(*directive->getNominatedNamespace()))
        addFragment(*declaration);
    }
  }

  /// Returns whether the candidate unit will know this namespace: from a header, or because part of it is copied.
  bool existsInUnit(const clang::NamespaceDecl &space) {
    const auto path = ParsedUnit::namespacesOf(&space);
    return std::ranges::any_of(space.redecls(),
                               [&](const auto *other) { return !unit_.isInSource(other->getLocation()); }) ||
           std::ranges::any_of(closure_.fragments, [&](const Fragment &other) { return other.namespaces == path; });
  }

  const ParsedUnit &unit_;
  const clang::FunctionDecl &kernel_;
  const ByteRange kernelRange_;
  Closure &closure_;
  clang::ASTNameGenerator names_;
  bool inSignature_ = false;
  std::set<std::pair<const clang::Decl *, bool>> done_, traversed_;
  std::set<const clang::Decl *> signatureTypes_;
};

} // namespace

Closure collectClosure(const ParsedUnit &unit, const clang::FunctionDecl &kernel) {
  Closure closure;
  Collector(unit, kernel, closure).collect();
  return closure;
}

} // namespace agentic
