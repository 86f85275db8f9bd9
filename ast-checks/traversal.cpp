#include "ast-checks/traversal.h"

#include "ast-checks/context.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace agentic::checks {
namespace {

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
public:
  Visitor(const CheckList &checks, Context &context) : checks_(checks), context_(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool VisitDecl(clang::Decl *decl) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl))
      context_.enterFunction(*function);
    for (const auto &check : checks_)
      check->declaration(*decl, context_);
    return true;
  }
  bool VisitStmt(clang::Stmt *statement) {
    for (const auto &check : checks_)
      check->statement(*statement, context_);
    return true;
  }
  bool VisitTypeLoc(clang::TypeLoc location) {
    for (const auto &check : checks_)
      check->typeLocation(location, context_);
    return true;
  }

  /// Skips declarations of headers: there are thousands, and no rule applies to them.
  void visitChildren(clang::DeclContext &parent) {
    for (clang::Decl *decl : parent.decls()) {
      auto begin = context_.fileOffset(decl->getBeginLoc()), end = context_.fileOffset(decl->getEndLoc());
      if (!begin || !end || !context_.own().intersects(*begin, *end)) {
        // A macro may put one end of own text elsewhere.
        if (!context_.isOwn(decl->getLocation()))
          continue;
      }
      bool isContainer = llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(decl);
      if (!isContainer) {
        TraverseDecl(decl);
        continue;
      }
      VisitDecl(decl);
      visitChildren(*llvm::cast<clang::DeclContext>(decl));
    }
  }

private:
  const CheckList &checks_;
  Context &context_;
};

} // namespace

void traverseOwnText(const CheckList &checks, Context &context) {
  Visitor(checks, context).visitChildren(*context.ast().getTranslationUnitDecl());
}

} // namespace agentic::checks
