#include "tool/source/transform_ast.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>

namespace agentic::moves {
namespace {

class UseCollector : public clang::RecursiveASTVisitor<UseCollector> {
public:
  VariableUses uses;

  bool VisitBinaryOperator(clang::BinaryOperator *operation) {
    if (operation->isAssignmentOp())
      change(operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *operation) {
    if (operation->isIncrementDecrementOp())
      change(operation->getSubExpr());
    if (operation->getOpcode() == clang::UO_AddrOf)
      escape(operation->getSubExpr());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    if (variable->getType()->isReferenceType() && variable->getInit())
      escape(variable->getInit());
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr *lambda) {
    for (const clang::LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          uses.escaping.insert(variable);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const unsigned parameter =
          llvm::isa<clang::CXXOperatorCallExpr>(call) && callee && llvm::isa<clang::CXXMethodDecl>(callee) ? i - 1 : i;
      if (parameter == ~0u)
        continue; // the object of a member operator
      if (!callee || parameter >= callee->getNumParams())
        continue;
      const clang::QualType type = callee->getParamDecl(parameter)->getType();
      if (type->isReferenceType() && !type->getPointeeType().isConstQualified())
        escape(call->getArg(i));
    }
    return true;
  }

private:
  void change(const clang::Expr *target) {
    if (const clang::VarDecl *variable = namedVariable(target))
      ++uses.changes[variable];
  }
  void escape(const clang::Expr *target) {
    if (const clang::VarDecl *variable = namedVariable(target))
      uses.escaping.insert(variable);
  }
};

} // namespace

VariableUses collectUses(const clang::Stmt *body) {
  UseCollector collector;
  collector.TraverseStmt(const_cast<clang::Stmt *>(body));
  return std::move(collector.uses);
}

const clang::VarDecl *namedVariable(const clang::Expr *expression) {
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

std::optional<std::size_t> TextMap::fileOffset(clang::SourceLocation location) const {
  const clang::SourceManager &sources = context_.getSourceManager();
  if (location.isInvalid() || location.isMacroID() || sources.getFileID(location) != sources.getMainFileID())
    return std::nullopt;
  const std::size_t offset = sources.getFileOffset(location);
  if (offset < begin_ || offset > begin_ + size_)
    return std::nullopt;
  return offset - begin_;
}

std::optional<std::size_t> TextMap::offset(clang::SourceLocation location) const {
  const clang::SourceManager &sources = context_.getSourceManager();
  while (location.isMacroID()) {
    if (!sources.isMacroArgExpansion(location))
      return std::nullopt;
    location = sources.getImmediateSpellingLoc(location);
  }
  return fileOffset(location);
}

std::optional<Range> TextMap::range(clang::SourceRange range) const {
  const clang::SourceManager &sources = context_.getSourceManager();
  const clang::CharSourceRange written = sources.getExpansionRange(range);
  const auto begin = fileOffset(written.getBegin());
  const clang::SourceLocation after =
      clang::Lexer::getLocForEndOfToken(written.getEnd(), 0, sources, context_.getLangOpts());
  const auto end = fileOffset(after);
  if (!begin || !end || *end < *begin)
    return std::nullopt;
  return Range{*begin, *end};
}

} // namespace agentic::moves
