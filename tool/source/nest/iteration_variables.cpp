#include "tool/source/nest/ast.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <map>
#include <set>

namespace agentic::moves {
namespace {

using namespace clang;

/// Finds the places of every variable, with the bodies of the loops around each.
class PlaceFinder : public RecursiveASTVisitor<PlaceFinder> {
public:
  struct Place {
    const DeclRefExpr *name;
    std::vector<const Stmt *> bodies; ///< outermost first
  };
  struct Assignment {
    const Stmt *body; ///< of which it is a statement
    const Expr *value;
  };
  std::map<const VarDecl *, std::vector<Place>> places; ///< in order of the text
  std::map<const DeclRefExpr *, Assignment> assigned;   ///< the targets of such assignments
  std::vector<const DeclStmt *> declarations;
  bool mayJump = false; ///< into the middle of a body

  bool TraverseForStmt(ForStmt *loop) {
    return TraverseStmt(loop->getInit()) && TraverseStmt(loop->getCond()) && TraverseStmt(loop->getInc()) &&
           traverseBody(loop->getBody());
  }
  bool TraverseWhileStmt(WhileStmt *loop) { return TraverseStmt(loop->getCond()) && traverseBody(loop->getBody()); }
  bool TraverseDoStmt(DoStmt *loop) { return traverseBody(loop->getBody()) && TraverseStmt(loop->getCond()); }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *loop) {
    return TraverseStmt(loop->getRangeInit()) && traverseBody(loop->getBody());
  }
  bool TraverseSwitchStmt(SwitchStmt *choice) {
    switches_.push_back(bodies_.size());
    const bool goesOn = RecursiveASTVisitor::TraverseSwitchStmt(choice);
    switches_.pop_back();
    return goesOn;
  }

  bool VisitDeclRefExpr(DeclRefExpr *name) {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      places[variable->getCanonicalDecl()].push_back({name, bodies_});
    return true;
  }
  bool VisitDeclStmt(DeclStmt *statement) {
    declarations.push_back(statement);
    return true;
  }
  bool VisitLabelStmt(LabelStmt *) {
    mayJump = true;
    return true;
  }
  bool VisitSwitchCase(SwitchCase *) {
    mayJump |= switches_.empty() || switches_.back() != bodies_.size();
    return true;
  }

private:
  bool traverseBody(Stmt *body) {
    if (const auto *block = dyn_cast<CompoundStmt>(body))
      for (const Stmt *statement : block->body()) {
        const auto *assignment = dyn_cast<BinaryOperator>(statement);
        const auto *target =
            assignment && assignment->getOpcode() == BO_Assign ? dyn_cast<DeclRefExpr>(assignment->getLHS()) : nullptr;
        if (target)
          assigned[target] = {body, assignment->getRHS()};
      }
    bodies_.push_back(body);
    const bool goesOn = TraverseStmt(body);
    bodies_.pop_back();
    return goesOn;
  }

  std::vector<const Stmt *> bodies_;
  std::vector<std::size_t> switches_; ///< how many bodies are around each switch
};

bool hasName(const Expr *value, const VarDecl *variable) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const VarDecl *wanted = nullptr;
    bool isFound = false;
    bool VisitDeclRefExpr(DeclRefExpr *name) {
      isFound |= name->getDecl()->getCanonicalDecl() == wanted;
      return !isFound;
    }
  } finder;
  finder.wanted = variable;
  finder.TraverseStmt(const_cast<Expr *>(value));
  return finder.isFound;
}

/// Returns the assignments that can declare the variable: each iteration of the loops that name it begins with one.
/// Empty if there is another use.
std::vector<const DeclRefExpr *> beginnings(const PlaceFinder &found, const VarDecl *variable,
                                            const std::vector<PlaceFinder::Place> &places) {
  std::vector<const DeclRefExpr *> begins;
  const Stmt *body = nullptr; // the one that is begun
  for (const PlaceFinder::Place &place : places) {
    if (body && std::ranges::find(place.bodies, body) != place.bodies.end())
      continue;
    const auto assignment = found.assigned.find(place.name);
    if (assignment == found.assigned.end() || hasName(assignment->second.value, variable))
      return {};
    body = assignment->second.body;
    begins.push_back(place.name);
  }
  return begins;
}

bool mayMove(const VarDecl &variable, const VariableUses &uses) {
  const QualType type = variable.getType();
  const bool isValue = (type->isArithmeticType() || type->isObjectPointerType()) && !type->isAtomicType();
  return variable.isLocalVarDecl() && variable.hasLocalStorage() && isValue && !type.hasQualifiers() &&
         !uses.escaping.contains(&variable);
}

} // namespace

std::vector<Edit> iterationVariableEdits(const FunctionDecl &function, const TextMap &map, const Nest &nest) {
  PlaceFinder found;
  found.TraverseStmt(function.getBody());
  if (found.mayJump)
    return {};
  const VariableUses uses = collectUses(function.getBody());
  std::set<const VarDecl *> moved;
  std::vector<Edit> edits;
  for (const auto &[variable, places] : found.places) {
    std::string text = variable->getNameAsString();
    const std::vector<const DeclRefExpr *> begins = beginnings(found, variable, places);
    const bool areWritten = std::ranges::all_of(begins, [&](const DeclRefExpr *name) {
      const auto range = map.range(name->getSourceRange());
      return range && nest.slice(*range) == text;
    });
    if (begins.empty() || !areWritten || !mayMove(*variable, uses))
      continue;
    moved.insert(variable);
    variable->getType().getAsStringInternal(text, function.getASTContext().getPrintingPolicy());
    for (const DeclRefExpr *name : begins)
      edits.push_back({*map.range(name->getSourceRange()), text});
  }
  appendRemovals(found.declarations, moved, map, nest, edits);
  return edits;
}

} // namespace agentic::moves
