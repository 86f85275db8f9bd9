#include "tool/source/nest/walk.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>

namespace agentic::moves {
namespace {

using namespace clang;

class SceneFinder : public RecursiveASTVisitor<SceneFinder> {
public:
  WalkScene scene;

  bool TraverseForStmt(ForStmt *loop) {
    return traverse(loop, [&] { return RecursiveASTVisitor::TraverseForStmt(loop); });
  }
  bool TraverseWhileStmt(WhileStmt *loop) {
    return traverse(loop, [&] { return RecursiveASTVisitor::TraverseWhileStmt(loop); });
  }
  bool TraverseDoStmt(DoStmt *loop) {
    return traverse(loop, [&] { return RecursiveASTVisitor::TraverseDoStmt(loop); });
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *loop) {
    return traverse(loop, [&] { return RecursiveASTVisitor::TraverseCXXForRangeStmt(loop); });
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; } // what it captures escapes
  bool VisitDeclRefExpr(DeclRefExpr *name) {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      scene.names.emplace_back(variable->getCanonicalDecl(), name);
    return true;
  }
  bool VisitDeclStmt(DeclStmt *statement) {
    for (const Decl *one : statement->decls())
      if (const auto *variable = dyn_cast<VarDecl>(one))
        scene.declarations[variable->getCanonicalDecl()] = statement;
    return true;
  }
  bool VisitStmt(Stmt *statement) {
    scene.jumps |= isa<GotoStmt, IndirectGotoStmt, LabelStmt, CXXTryStmt, AsmStmt, CoroutineBodyStmt>(statement);
    return true;
  }

private:
  template <class Traverse> bool traverse(const Stmt *loop, Traverse inside) {
    scene.loops.push_back({loop, active_});
    active_.push_back(scene.loops.size() - 1);
    const bool goesOn = inside();
    active_.pop_back();
    return goesOn;
  }
  std::vector<std::size_t> active_;
};

class SurroundingsReader {
public:
  SurroundingsReader(const WalkContext &known, const WalkScene &scene, std::size_t loop, const Iteration &iteration,
                     const std::vector<const VarDecl *> &variables, Walk &walk)
      : known_(known), scene_(scene), loop_(loop), iteration_(iteration), variables_(variables), walk_(walk) {}

  void run() {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      walk_.walked[i].start = startOf(variables_[i]);
      walk_.walked[i].isLive = isLive(variables_[i]);
    }
    walk_.isStartNeeded = isStartNeeded();
    const std::string name = walk_.isCounted ? walk_.counter : walk_.walked[walk_.test.walked].name;
    for (const auto &[variable, statement] : scene_.declarations)
      if (const auto place = placeOf(statement); variable->getNameAsString() == name)
        walk_.isShadowed |= !place || walk_.body.contains(*place);
    for (std::size_t i = 0; i < variables_.size(); ++i)
      noteDeclaration(variables_[i], walk_.walked[i]);
  }

private:
  std::optional<std::int64_t> constant(const Expr *value) const { return constantOf(value, known_.context, 30); }

  /// The value that the loop's own header gives a variable, converted to its type.
  const Expr *assignedInStart(const VarDecl *variable) const {
    if (const auto *declaration = dyn_cast_or_null<DeclStmt>(iteration_.start))
      for (const Decl *one : declaration->decls())
        if (const auto *declared = dyn_cast<VarDecl>(one); declared && declared->getCanonicalDecl() == variable)
          return declared->getInit();
    const Expr *found = nullptr;
    forEachPart(dyn_cast_or_null<Expr>(iteration_.start), [&](const Expr *part) {
      const auto *assignment = dyn_cast<BinaryOperator>(part);
      if (assignment && assignment->getOpcode() == BO_Assign && namedVariable(assignment->getLHS()) &&
          namedVariable(assignment->getLHS())->getCanonicalDecl() == variable)
        found = assignment->getRHS();
    });
    return found;
  }

  template <class Visit> static void forEachPart(const Expr *source, Visit visit) {
    if (!source)
      return;
    source = source->IgnoreParens();
    if (const auto *comma = dyn_cast<BinaryOperator>(source); comma && comma->isCommaOp()) {
      forEachPart(comma->getLHS(), visit);
      return forEachPart(comma->getRHS(), visit);
    }
    visit(source);
  }

  std::optional<Range> placeOf(const Stmt *source) const { return known_.map.range(source->getSourceRange()); }

  /// Returns whether each iteration of the loop has its own: a variable of a `for` header lives on.
  bool isIn(const Stmt *loop, const VarDecl *variable) const {
    const Stmt *body = isa<ForStmt>(loop)     ? cast<ForStmt>(loop)->getBody()
                       : isa<WhileStmt>(loop) ? cast<WhileStmt>(loop)->getBody()
                       : isa<DoStmt>(loop)    ? cast<DoStmt>(loop)->getBody()
                                              : cast<CXXForRangeStmt>(loop)->getBody();
    const auto place = known_.map.range(variable->getSourceRange()), whole = placeOf(body);
    return place && whole && whole->contains(*place);
  }

  std::optional<std::int64_t> startOf(const VarDecl *variable) const {
    if (variable->getType()->isPointerType())
      return std::nullopt;
    if (const Expr *value = assignedInStart(variable))
      return constant(value);
    const auto changes = known_.uses.changes.find(variable);
    const auto own = std::ranges::count_if(
        iteration_.events, [&](const WalkEvent &event) { return event.isUpdate && event.variable == variable; });
    const bool isElsewhere = std::ranges::any_of(
        scene_.loops[loop_].around, [&](std::size_t around) { return !isIn(scene_.loops[around].loop, variable); });
    if (!variable->isLocalVarDecl() || changes == known_.uses.changes.end() || changes->second != own || isElsewhere)
      return std::nullopt;
    return constant(variable->getInit());
  }

  bool isLive(const VarDecl *variable) const {
    const auto isNamedIn = [&](Range range) {
      return std::ranges::any_of(scene_.names, [&](const auto &entry) {
        if (entry.first != variable)
          return false;
        const auto place = placeOf(entry.second);
        return !place || (range.contains(*place) && !walk_.range.contains(*place));
      });
    };
    if (isNamedIn({walk_.range.end, SIZE_MAX}))
      return true;
    return std::ranges::any_of(scene_.loops[loop_].around, [&](std::size_t around) {
      const Stmt *outer = scene_.loops[around].loop;
      const auto whole = placeOf(outer);
      if (isIn(outer, variable))
        return false;
      return !whole || !assignedInStart(variable) || isNamedIn(*whole);
    });
  }

  /// A variable whose first value is put into every place that uses it need not have it.
  bool isStartNeeded() const {
    const auto isReplaced = [&](const VarDecl *variable) {
      const auto at = std::ranges::find(variables_, variable);
      if (at == variables_.end())
        return false;
      const WalkedVariable &walked = walk_.walked[static_cast<std::size_t>(at - variables_.begin())];
      return walked.start.has_value() && !walked.isLive;
    };
    bool isNeeded = false;
    if (const auto *declaration = dyn_cast_or_null<DeclStmt>(iteration_.start)) {
      for (const Decl *one : declaration->decls()) {
        const auto *variable = dyn_cast<VarDecl>(one);
        isNeeded |= !variable || !isReplaced(variable->getCanonicalDecl());
      }
      return isNeeded;
    }
    forEachPart(dyn_cast_or_null<Expr>(iteration_.start), [&](const Expr *part) {
      const auto *assignment = dyn_cast<BinaryOperator>(part);
      const VarDecl *variable =
          assignment && assignment->getOpcode() == BO_Assign ? namedVariable(assignment->getLHS()) : nullptr;
      isNeeded |= !variable || !isReplaced(variable->getCanonicalDecl());
    });
    return isNeeded;
  }

  void noteDeclaration(const VarDecl *variable, const WalkedVariable &walked) {
    const auto declared = scene_.declarations.find(variable);
    if (!walked.start || walked.isLive || declared == scene_.declarations.end() || !declared->second->isSingleDecl() ||
        declared->second == iteration_.start || assignedInStart(variable))
      return;
    // Every name must be one that is replaced.
    const auto events = std::ranges::count(iteration_.events, variable, &WalkEvent::variable);
    const auto names = std::ranges::count(scene_.names, variable, [](const auto &entry) { return entry.first; });
    const auto place = placeOf(declared->second);
    if (events == names && place && known_.symbols.slice(*place).ends_with(";"))
      walk_.declarations.push_back(*place);
  }

  const WalkContext &known_;
  const WalkScene &scene_;
  std::size_t loop_;
  const Iteration &iteration_;
  const std::vector<const VarDecl *> &variables_;
  Walk &walk_;
};

} // namespace

WalkScene sceneOf(const FunctionDecl &function) {
  SceneFinder finder;
  finder.TraverseStmt(function.getBody());
  return std::move(finder.scene);
}

void readSurroundings(const WalkContext &known, const WalkScene &scene, std::size_t loop, const Iteration &iteration,
                      const std::vector<const VarDecl *> &walked, Walk &walk) {
  SurroundingsReader(known, scene, loop, iteration, walked, walk).run();
}

} // namespace agentic::moves
