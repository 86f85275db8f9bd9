#include "ast-checks/kernel_body.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace agentic::checks {
namespace {

bool isLoad(const clang::Stmt &statement) {
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(&statement);
  return cast &&
         (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_ArrayToPointerDecay);
}

/// Returns whether a statement uses the value of its child: `return x`, `switch (x)`, not `{ x; }`.
bool usesValue(const clang::Stmt &statement, const clang::Stmt &child) {
  const clang::Stmt *used = nullptr;
  if (const auto *choice = llvm::dyn_cast<clang::SwitchStmt>(&statement))
    used = choice->getCond();
  else if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(&statement))
    used = branch->getCond();
  else if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(&statement))
    used = loop->getCond();
  else if (const auto *last = llvm::dyn_cast<clang::DoStmt>(&statement))
    used = last->getCond();
  else if (const auto *counted = llvm::dyn_cast<clang::ForStmt>(&statement))
    used = counted->getCond();
  else if (!llvm::isa<clang::CompoundStmt, clang::LabelStmt>(statement))
    return true;
  return used == &child;
}

} // namespace

KernelBody::KernelBody(const clang::FunctionDecl &function) : function_(function) {
  for (const clang::ParmVarDecl *parameter : function.parameters())
    locals_[parameter];
  walk(*function.getBody(), nullptr, false);
  for (const auto &[statement, place] : places_)
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      seeReference(*reference);
}

void KernelBody::walk(const clang::Stmt &statement, const clang::Stmt *parent, bool isApart) {
  places_.emplace(&statement, Place{parent, isApart});
  if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(&statement))
    for (const clang::Decl *decl : declared->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl); variable && variable->hasLocalStorage()) {
        LocalUse &use = locals_[variable];
        use.isEscaped |= variable->getType().isVolatileQualified() || llvm::isa<clang::DecompositionDecl>(variable);
        if (const clang::Expr *initialiser = variable->getInit()) {
          use.definitions.push_back(initialiser);
          initialised_.emplace(initialiser, variable);
        }
      }
  const bool isInside = isApart || llvm::isa<clang::LambdaExpr, clang::StmtExpr>(statement);
  for (const clang::Stmt *child : statement.children())
    if (child)
      walk(*child, &statement, isInside);
}

/// Returns whether an lvalue is only read, or its value is not used at all.
bool KernelBody::isRead(const clang::Expr &lvalue) const {
  const clang::Stmt *parent = around(lvalue);
  return parent && (isLoad(*parent) || isDiscarded(lvalue));
}

void KernelBody::seeReference(const clang::DeclRefExpr &reference) {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
  const auto found = variable ? locals_.find(variable) : locals_.end();
  if (found == locals_.end())
    return;
  LocalUse &use = found->second;
  use.references.push_back(&reference);
  const clang::Stmt *parent = around(reference);
  if (!parent || isLoad(*parent) || llvm::isa<clang::UnaryExprOrTypeTraitExpr>(parent))
    return;
  const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(parent);
  const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(parent);
  const bool isSet = (unary && unary->isIncrementDecrementOp()) ||
                     (binary && binary->isAssignmentOp() && binary->getLHS()->IgnoreParens() == &reference);
  if (!isSet) {
    use.isEscaped = true;
    return;
  }
  const auto &definition = *llvm::cast<clang::Expr>(parent);
  use.definitions.push_back(&definition);
  use.isEscaped |= definition.isLValue() && !isRead(definition);
}

bool KernelBody::evaluates(const clang::Stmt &statement) const {
  const auto place = places_.find(&statement);
  return place != places_.end() && !place->second.isApart;
}

const clang::Stmt *KernelBody::around(const clang::Stmt &statement) const {
  auto place = places_.find(&statement);
  while (place != places_.end() && place->second.parent && llvm::isa<clang::ParenExpr>(place->second.parent))
    place = places_.find(place->second.parent);
  return place == places_.end() ? nullptr : place->second.parent;
}

const clang::VarDecl *KernelBody::initialised(const clang::Expr &initialiser) const {
  const clang::Expr *whole = &initialiser;
  for (auto place = places_.find(whole); place != places_.end(); place = places_.find(whole)) {
    if (const auto found = initialised_.find(whole); found != initialised_.end())
      return found->second;
    if (!place->second.parent || !llvm::isa<clang::ParenExpr>(place->second.parent))
      break;
    whole = llvm::cast<clang::ParenExpr>(place->second.parent);
  }
  return nullptr;
}

bool KernelBody::isDiscarded(const clang::Expr &expression) const {
  const clang::Stmt *part = &expression, *parent = nullptr;
  for (auto place = places_.find(part); place != places_.end(); part = parent, place = places_.find(part)) {
    parent = place->second.parent;
    if (!parent)
      return false;
    const auto *sequence = llvm::dyn_cast<clang::BinaryOperator>(parent);
    const bool isInSequence = sequence && sequence->getOpcode() == clang::BO_Comma;
    if (isInSequence && sequence->getLHS() == part)
      return true;
    if (!isInSequence && !llvm::isa<clang::ParenExpr>(parent))
      return !llvm::isa<clang::Expr>(parent) && !usesValue(*parent, *part);
  }
  return false;
}

const LocalUse *KernelBody::local(const clang::ValueDecl &variable) const {
  const auto *decl = llvm::dyn_cast<clang::VarDecl>(&variable);
  const auto found = decl ? locals_.find(decl) : locals_.end();
  return found == locals_.end() ? nullptr : &found->second;
}

} // namespace agentic::checks
