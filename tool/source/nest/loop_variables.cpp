#include "tool/source/nest/ast.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <set>

namespace agentic::moves {
namespace {

/// Finds the loops `for (i = …; …)`, and which of their variables live in such loops alone.
class LoopVariables : public clang::RecursiveASTVisitor<LoopVariables> {
public:
  struct Assigned {
    const clang::VarDecl *variable;
    const clang::DeclRefExpr *name; ///< in the header
  };
  std::vector<Assigned> loops;
  std::vector<const clang::DeclStmt *> declarations;
  std::set<const clang::VarDecl *> refused; ///< used outside, or in a way that hangs on where it is declared

  bool TraverseForStmt(clang::ForStmt *loop) {
    const auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInit());
    const auto *name = assignment && assignment->getOpcode() == clang::BO_Assign
                           ? llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS())
                           : nullptr;
    const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (!variable)
      return RecursiveASTVisitor::TraverseForStmt(loop);
    if (!TraverseStmt(assignment->getRHS()))
      return false;
    if (std::ranges::find(active_, variable) != active_.end())
      refused.insert(variable); // the loop around it counts with the same one
    loops.push_back({variable, name});
    active_.push_back(variable);
    const bool goesOn = TraverseStmt(loop->getCond()) && TraverseStmt(loop->getInc()) && TraverseStmt(loop->getBody());
    active_.pop_back();
    return goesOn;
  }
  bool TraverseSwitchStmt(clang::SwitchStmt *choice) {
    switches_.push_back(active_.size());
    const bool goesOn = RecursiveASTVisitor::TraverseSwitchStmt(choice);
    switches_.pop_back();
    return goesOn;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *name) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        variable && std::ranges::find(active_, variable) == active_.end())
      refused.insert(variable);
    return true;
  }
  bool VisitDeclStmt(clang::DeclStmt *statement) {
    declarations.push_back(statement);
    return true;
  }
  // Who jumps into a loop has not passed its header.
  bool VisitLabelStmt(clang::LabelStmt *) { return refuseFrom(0); }
  bool VisitSwitchCase(clang::SwitchCase *) { return refuseFrom(switches_.empty() ? 0 : switches_.back()); }

private:
  bool refuseFrom(std::size_t first) {
    refused.insert(active_.begin() + static_cast<std::ptrdiff_t>(first), active_.end());
    return true;
  }

  std::vector<const clang::VarDecl *> active_; ///< of the loops around the present place
  std::vector<std::size_t> switches_;          ///< how many of them are around each switch
};

bool isPlainInteger(const clang::VarDecl &variable) {
  const clang::QualType type = variable.getType();
  return variable.isLocalVarDecl() && variable.hasLocalStorage() && type->isIntegerType() && !type->isEnumeralType() &&
         !type->isAtomicType() && !type.hasQualifiers();
}

} // namespace

void appendRemovals(const std::vector<const clang::DeclStmt *> &declarations,
                    const std::set<const clang::VarDecl *> &moved, const TextMap &map, const Nest &nest,
                    std::vector<Edit> &edits) {
  for (const clang::DeclStmt *statement : declarations) {
    const auto isMoved = [&](const clang::Decl *declared) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
      return variable && moved.contains(variable) && !variable->getInit();
    };
    if (const auto range = map.range(statement->getSourceRange());
        range && std::ranges::all_of(statement->decls(), isMoved) && nest.slice(*range).ends_with(";"))
      edits.push_back({*range, ""});
  }
}

std::vector<Edit> loopVariableEdits(const clang::FunctionDecl &function, const TextMap &map, const Nest &nest) {
  LoopVariables found;
  found.TraverseStmt(function.getBody());
  const VariableUses uses = collectUses(function.getBody());
  const clang::PrintingPolicy &policy = function.getASTContext().getPrintingPolicy();
  std::set<const clang::VarDecl *> moved;
  std::vector<Edit> edits;
  for (const LoopVariables::Assigned &loop : found.loops) {
    const auto name = map.range(loop.name->getSourceRange());
    if (!isPlainInteger(*loop.variable) || uses.escaping.contains(loop.variable->getCanonicalDecl()) || !name ||
        nest.slice(*name) != loop.variable->getNameAsString())
      found.refused.insert(loop.variable);
  }
  for (const LoopVariables::Assigned &loop : found.loops)
    if (!found.refused.contains(loop.variable)) {
      moved.insert(loop.variable);
      const std::size_t at = map.range(loop.name->getSourceRange())->begin;
      edits.push_back({{at, at}, loop.variable->getType().getAsString(policy) + " "});
    }
  appendRemovals(found.declarations, moved, map, nest, edits);
  std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
  return edits;
}

} // namespace agentic::moves
