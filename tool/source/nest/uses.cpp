#include "tool/source/nest/ast.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>

namespace agentic::moves {
namespace {

/// A number or pointer may be changed unseen as soon as more than its value is used: its address may be taken, a
/// reference bound, an operand of `c ? x : y` assigned. So every use that is not a plain read, assignment or step
/// counts as an escape.
class UseCollector : public clang::RecursiveASTVisitor<UseCollector> {
public:
  VariableUses takeUses() {
    for (const clang::DeclRefExpr *name : names_)
      if (!plain_.contains(name))
        uses_.escaping.insert(llvm::cast<clang::VarDecl>(name->getDecl())->getCanonicalDecl());
    return std::move(uses_);
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *name) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable && variable->getType()->isScalarType())
      names_.push_back(name);
    return true;
  }
  bool VisitCastExpr(clang::CastExpr *cast) {
    const auto kind = cast->getCastKind();
    if (kind == clang::CK_LValueToRValue || kind == clang::CK_ToVoid)
      markRead(cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *operation) {
    if (operation->isAssignmentOp())
      change(operation->getLHS(), operation);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *operation) {
    if (operation->isIncrementDecrementOp())
      change(operation->getSubExpr(), operation);
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
          uses_.escaping.insert(variable->getCanonicalDecl());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !isPureFunction(callee))
      return true;
    for (const clang::Expr *argument : call->arguments()) // std::max takes const references, and only reads them
      markRead(argument);
    return true;
  }
  // An unevaluated operand changes nothing.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) { return true; }

private:
  void markRead(const clang::Expr *value) {
    value = value->IgnoreParens();
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value);
        cast && cast->getCastKind() == clang::CK_NoOp)
      return markRead(cast->getSubExpr());
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
      markRead(choice->getTrueExpr());
      return markRead(choice->getFalseExpr());
    }
    if (const auto *comma = llvm::dyn_cast<clang::BinaryOperator>(value); comma && comma->isCommaOp())
      return markRead(comma->getRHS());
    if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(value))
      plain_.insert(name);
  }
  void change(const clang::Expr *target, const clang::Expr *whole) {
    if (const clang::VarDecl *variable = namedVariable(target)) {
      ++uses_.changes[variable->getCanonicalDecl()];
      uses_.changedBy[variable->getCanonicalDecl()].push_back(whole);
    }
    if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens()))
      plain_.insert(name);
  }
  void escape(const clang::Expr *target) {
    if (const clang::VarDecl *variable = namedVariable(target))
      uses_.escaping.insert(variable->getCanonicalDecl());
  }

  VariableUses uses_;
  std::vector<const clang::DeclRefExpr *> names_;
  std::set<const clang::DeclRefExpr *> plain_;
};

} // namespace

VariableUses collectUses(const clang::Stmt *body) {
  UseCollector collector;
  collector.TraverseStmt(const_cast<clang::Stmt *>(body));
  return collector.takeUses();
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
